/// A SHA-256 digest, held inline. Equality and order are those of its 32 bytes.
public struct Digest: Hashable, Sendable {
    // The bytes eight at a time, as they lie in memory.
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// The number of bytes in every digest.
    public static let byteCount = 32

    /// 32 zero bytes: where a format has room for a digest and there is none.
    public static let zero = Digest(copying: [UInt8](repeating: 0, count: byteCount))

    /// The digest of these 32 bytes; nil for any other number of them.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(copying: bytes)
    }

    /// The digest written as 52 characters; nil unless they are exactly what ``base32`` writes.
    public init?(base32: String) {
        guard base32.utf8.count == Base32.characterCount(ofBytes: Self.byteCount),
            let bytes = Base32.decode(base32.utf8)
        else { return nil }
        self.init(bytes: bytes)
    }

    /// The digest of the first 32 of `bytes`, of which there must be as many.
    package init(loading bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count >= Self.byteCount, "A digest is 32 bytes, got \(bytes.count).")
        first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        second = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        third = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        fourth = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    }

    private init(copying bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { Digest(loading: $0) }
    }

    /// Calls `body` with the 32 bytes, which are valid until it returns.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Swift.withUnsafeBytes(of: (first, second, third, fourth), body)
    }

    /// The 32 bytes.
    public var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

    /// The digest as 52 characters of base32 (RFC 4648, lower case, unpadded).
    public var base32: String { Base32.encode(bytes) }

    /// The bytes as four integers that order like them: the most significant byte comes first.
    package var bigEndianWords: (UInt64, UInt64, UInt64, UInt64) {
        (first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian)
    }
}

extension Digest: Comparable {
    /// Whether `left`'s bytes come first.
    public static func < (left: Self, right: Self) -> Bool { left.bigEndianWords < right.bigEndianWords }
}

extension Digest: CustomStringConvertible {
    /// The digest in base32.
    public var description: String { base32 }
}
