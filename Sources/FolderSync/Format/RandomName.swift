import LLVSCore

/// Sixteen random bytes that name something for ever: a store, a lane, a temporary file.
///
/// Written as 26 characters of base32, in which every value has one spelling. Ordered by its bytes, which is not the order
/// of the text: base32 puts `a` before `2`.
struct RandomName: Hashable, Sendable {
    // Big-endian halves, so that the pair orders like the bytes.
    private let high: UInt64
    private let low: UInt64

    static let byteCount = 16
    static let characterCount = 26

    init(using generator: inout some RandomNumberGenerator) {
        high = generator.next()
        low = generator.next()
    }

    /// The name of these 16 bytes; nil for any other number of them.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        (high, low) = bytes.withUnsafeBytes {
            let low = $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            return (UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)), UInt64(bigEndian: low))
        }
    }

    /// The name that ``text`` writes so; nil for anything else.
    init?(text: some Collection<UInt8>) {
        guard text.count == Self.characterCount, let bytes = Base32.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    var bytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { [UInt8]($0) } }

    var text: String { Base32.encode(bytes) }
}

extension RandomName: Comparable {
    static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
