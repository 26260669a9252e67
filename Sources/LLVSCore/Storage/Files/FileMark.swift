import FileCoordination

/// How much of which log is known to be on the disk, in a small file of its own that is replaced at each flush.
///
///     mark = "LLVSMARK" ‖ 16 bytes id of the log ‖ u64 length ‖ 8 bytes check
///
/// It tells damage from the end that a power cut takes: what was flushed once and does not verify now is damaged. Without it,
/// or with one of another log, everything is verified when the log is opened, and nothing is lost.
struct FileMark: Hashable, Sendable {
    var id: [UInt8]
    var length: Int64

    private static let magic = Array("LLVSMARK".utf8)
    private static let size = 40

    /// The mark at `path`; nil if there is none that verifies.
    init?(at path: String, files: any FileSystem) throws {
        let bytes: [UInt8]
        do { bytes = try files.readFile(at: path, limit: Self.size, followLinks: false) } catch {
            switch error.code {
            case .noSuchFile, .tooLarge, .link, .isDirectory, .notRegularFile: return nil
            default: throw StoreError.coordinating("the store cannot be read", error)
            }
        }
        guard bytes.count == Self.size, bytes.starts(with: Self.magic),
            FileCheck.short(bytes[..<32]) == bytes[32...]
        else { return nil }
        var reader = ByteReader(bytes[8...], of: "mark")
        id = try reader.bytes(16)
        length = try reader.i64()
    }

    init(id: [UInt8], length: Int64) {
        self.id = id
        self.length = length
    }

    func write(to path: String, files: any FileSystem) throws {
        var out = ByteWriter()
        out.append(Self.magic)
        out.append(id)
        out.i64(length)
        let bytes = out.bytes + FileCheck.short(out.bytes)
        do {
            try CoordinatedFile(files: files, durability: .content, followLinks: false)
                .write(bytes, to: path, permissions: .privateFile)
        } catch {
            throw StoreError.coordinating("the store cannot be written to", error)
        }
    }
}

extension StoreError {
    fileprivate static func coordinating(_ what: String, _ error: FileCoordinationError) -> StoreError {
        let code: Code =
            switch error.code {
            case .noSpace, .quotaExceeded: .noSpace
            case .readOnlyFileSystem, .notPermitted: .readOnly
            default: .inputOutput
            }
        return StoreError(code, what, remedy: "check the disk and its mount, then try again", cause: "\(error)")
    }
}
