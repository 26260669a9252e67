import Foundation
import Synchronization

/// Standard output, buffered.
final class Output: Sendable {
    /// Whoever read the output has gone: nothing is wrong, and nothing more need be printed.
    struct Closed: Error {}

    private static let bufferSize = 1 << 16

    let descriptor: Int32
    private let buffer = Mutex<[UInt8]>([])

    init(descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
    }

    func line(_ text: String) throws {
        try bytes(Array(text.utf8) + [UInt8(ascii: "\n")])
    }

    /// One JSON object on a line of its own, keys ascending.
    func object(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try bytes(JSONLines.oneLine(Array(try encoder.encode(value))) + [UInt8(ascii: "\n")])
    }

    func bytes(_ bytes: some Collection<UInt8>) throws {
        try buffer.withLock { buffer in
            buffer.append(contentsOf: bytes)
            if buffer.count >= Self.bufferSize { try drain(&buffer) }
        }
    }

    func flush() throws {
        try buffer.withLock { try drain(&$0) }
    }

    private func drain(_ buffer: inout [UInt8]) throws {
        // What could not be written is not tried again: the error is reported once.
        defer { buffer.removeAll(keepingCapacity: true) }
        var written = 0
        while written < buffer.count {
            let count = buffer[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
                continue
            }
            let code = errno
            if code == EINTR { continue }
            if code == EPIPE { throw Closed() }
            throw CommandError(
                "cannot write to standard output: \(String(cString: strerror(code)))",
                remedy: "check where it goes, and run the command again")
        }
    }
}
