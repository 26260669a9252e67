/// Takes the pieces of a file that is being written; see ``CoordinatedFile/write(to:permissions:ifExists:_:)``.
public struct FileWriter: ~Copyable, Sendable {
    let files: any FileSystem
    let file: OpenFile
    /// What errors name: the target, not the temporary file.
    let path: String

    /// Appends the bytes.
    public borrowing func write(_ bytes: [UInt8]) throws(FileCoordinationError) {
        let met = bytes.withUnsafeBytes { buffer in failure(writing: buffer) }
        if let met { throw .writing(path, met) }
    }

    /// Appends the bytes.
    public borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(FileCoordinationError) {
        if let met = failure(writing: bytes) { throw .writing(path, met) }
    }

    private borrowing func failure(writing bytes: UnsafeRawBufferPointer) -> Errno? {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Systems take at most 2 GiB at once, and some refuse more instead of writing less.
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            do {
                let written = try files.write(piece, to: file)
                if written <= 0 { return .inputOutput }
                rest = rest.dropFirst(written)
            } catch { return error }
        }
        return nil
    }
}
