extension Value {
    /// The bytes of a value, held in memory or read from elsewhere when they are needed.
    public enum Content: Sendable {
        /// All of the bytes.
        case bytes([UInt8])
        /// Bytes too many to hold in memory.
        case stream(Stream)
    }

    /// Bytes of a known number that can be read from their start any number of times, each time the same.
    public struct Stream: Sendable {
        /// How many bytes there are.
        public let size: UInt64
        private let open: @Sendable () throws -> any ContentReader

        /// A stream of exactly `size` bytes. `open` starts reading them anew, on whatever thread needs them.
        public init(size: UInt64, open: @escaping @Sendable () throws -> any ContentReader) {
            self.size = size
            self.open = open
        }

        /// Starts reading at the first byte.
        /// - Throws: What `open` throws.
        public func makeReader() throws -> any ContentReader { try open() }
    }
}

/// Reads the bytes of one ``Value/Stream`` once, from first to last. It is used by one thread at a time.
public protocol ContentReader {
    /// The next bytes: at least one and at most `count`, or none at the end.
    mutating func read(atMost count: Int) throws -> [UInt8]
}

extension Value.Content {
    /// How many bytes there are.
    public var size: UInt64 {
        switch self {
        case .bytes(let bytes): UInt64(bytes.count)
        case .stream(let stream): stream.size
        }
    }

    /// All of the bytes, in memory.
    /// - Throws: What the stream throws; ``StoreError/Code/valueUnreadable`` if it has more or fewer bytes than it stated.
    public func allBytes() throws -> [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        var all: [UInt8] = []
        try forEachPiece(of: Self.pieceSize) { all += $0 }
        return all
    }

    /// Calls `body` with the bytes in pieces of `count`, of which only the last may be shorter and none is empty.
    /// - Throws: What the stream and `body` throw; ``StoreError/Code/valueUnreadable`` if the stream has more or fewer bytes
    ///   than it stated. `body` may have been called by then.
    public func forEachPiece(of count: Int, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
        precondition(count > 0, "A piece has at least one byte, got \(count).")
        switch self {
        case .bytes(let bytes):
            for start in stride(from: 0, to: bytes.count, by: count) {
                try body(bytes[start..<min(bytes.count, start + count)])
            }
        case .stream(let stream):
            try stream.forEachPiece(of: count, body)
        }
    }

    /// The SHA-256 of the bytes, without holding more than a piece of them.
    /// - Throws: As ``forEachPiece(of:_:)``: where it returns, there were exactly ``size`` bytes.
    public func digest() throws -> Digest {
        if case .bytes(let bytes) = self { return SHA256.hash(bytes) }
        var hash = SHA256()
        try forEachPiece(of: Self.pieceSize) { hash.update($0) }
        return hash.digest()
    }

    private static var pieceSize: Int { 65_536 }
}

extension Value.Stream {
    fileprivate func forEachPiece(of count: Int, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
        var reader = try makeReader()
        var piece: [UInt8] = []
        var total: UInt64 = 0
        while true {
            let room = count - piece.count
            let more = try reader.read(atMost: room)
            if more.isEmpty { break }
            total += UInt64(more.count)
            guard more.count <= room, total <= size else { throw wrongSize("more, or more than were asked for") }
            if piece.isEmpty { piece = more } else { piece += more }
            if piece.count == count {
                try body(piece[...])
                piece = []
            }
        }
        guard total == size else { throw wrongSize("\(total)") }
        if !piece.isEmpty { try body(piece[...]) }
    }

    private func wrongSize(_ found: String) -> StoreError {
        StoreError(
            .valueUnreadable, "a stream of \(size) bytes gave \(found)",
            remedy: "save it again when what it reads no longer changes")
    }
}
