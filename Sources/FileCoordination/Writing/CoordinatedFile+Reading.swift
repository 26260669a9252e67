extension CoordinatedFile {
    /// The whole content of a regular file; see ``FileSystem/readFile(at:limit:followLinks:)``.
    public func read(at path: String, limit: Int = .max) throws(FileCoordinationError) -> [UInt8] {
        try files.readFile(at: path, limit: limit, followLinks: followLinks)
    }

    /// The content and what ``writeIfUnchanged(_:to:since:permissions:)`` needs to see that it is still that.
    public func readWithState(
        at path: String, limit: Int = .max
    ) throws(FileCoordinationError) -> (bytes: [UInt8], state: FileState) {
        let bytes = try read(at: path, limit: limit)
        return (bytes, FileState(of: bytes))
    }

    /// Reads a regular file piece by piece, in order and to its real end, in the memory of one piece.
    ///
    /// A file that is replaced meanwhile is read to the end as it was. One that another program writes in place is not.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - chunkSize: The most bytes a piece has; at least 1.
    ///   - body: Gets each piece; it is valid during the call only. What it throws passes through and ends the reading.
    /// - Returns: How many bytes there were.
    @discardableResult
    public func read(
        at path: String, chunkSize: Int = 1 << 18, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int64 {
        var failure: (any Error)?
        let count = try files.readPieces(of: path, size: chunkSize, followLinks: followLinks) { piece in
            do {
                try body(piece)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return count
    }
}
