import FileCoordination
import Foundation
import LLVSCore

/// All of standard input as a value's content. What is more than 1 MiB goes to a private temporary file without a name, so
/// that memory stays bounded, and nothing is left whatever happens.
func standardInput(_ input: OpenFile = OpenFile(descriptor: STDIN_FILENO)) throws -> Value.Content {
    let files = LocalFileSystem.local
    var spool = InputSpool()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count: Int
        do { count = try buffer.withUnsafeMutableBytes { try files.read(input, into: $0) } } catch {
            throw CommandError("cannot read standard input: \(error)", remedy: "check where it comes from")
        }
        if count == 0 { return spool.content }
        try spool.append(buffer[..<count])
    }
}

/// Bytes in memory while they are few, and else in a file.
private struct InputSpool {
    private static let largestInMemory = 1 << 20

    private var bytes: [UInt8] = []
    private var file: SpoolFile?

    mutating func append(_ piece: ArraySlice<UInt8>) throws {
        if let file { return try file.append(piece) }
        bytes += piece
        if bytes.count > Self.largestInMemory {
            let file = try SpoolFile()
            try file.append(bytes[...])
            self.file = file
            bytes = []
        }
    }

    var content: Value.Content {
        guard let file else { return .bytes(bytes) }
        return .stream(Value.Stream(size: file.size) { SpoolFile.Reader(file: file) })
    }
}

/// A temporary file that lost its name when it was made, and goes with this object.
///
/// Unchecked because `size` changes only in `append`, which is called before the object is shared.
private final class SpoolFile: @unchecked Sendable {
    private let descriptor: Int32
    private(set) var size: UInt64 = 0

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/foldersync-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        if descriptor < 0 { throw Self.failure() }
        unlink(template)
    }

    deinit { close(descriptor) }

    func append(_ piece: ArraySlice<UInt8>) throws {
        var rest = piece
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(size)) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { throw Self.failure() }
            size += UInt64(count)
            rest = rest.dropFirst(count)
        }
    }

    private static func failure() -> CommandError {
        CommandError(
            "cannot keep standard input in a temporary file: \(String(cString: strerror(errno)))",
            remedy: "free some space there, or set TMPDIR to another folder")
    }

    struct Reader: ContentReader {
        let file: SpoolFile
        private var offset: Int64 = 0

        init(file: SpoolFile) { self.file = file }

        mutating func read(atMost count: Int) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let position = offset
            let file = OpenFile(descriptor: file.descriptor)
            let got = try bytes.withUnsafeMutableBytes { buffer in
                try LocalFileSystem.local.read(file, from: position, into: buffer)
            }
            offset += Int64(got)
            bytes.removeLast(count - got)
            return bytes
        }
    }
}
