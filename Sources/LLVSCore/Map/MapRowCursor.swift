/// Reads a whole node's row in one pass over its bytes; nil for what no node is written as. ``ByteReader`` does the same with
/// its checks and errors at each byte, which a node has a thousand of.
struct MapRowCursor {
    private let bytes: UnsafeRawBufferPointer
    private var position: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    /// A number as ``ByteReader/varint()`` reads it.
    mutating func varint() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard let byte = byte() else { return nil }
            number |= UInt64(byte & 0x7f) << UInt64(shift)
            if byte < 0x80 { return (shift == 0 || byte > 0) && (shift < 63 || byte == 1) ? number : nil }
        }
        return nil
    }

    /// The next `count` bytes.
    mutating func slice(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count <= bytes.count - position else { return nil }
        position += count
        return UnsafeRawBufferPointer(rebasing: bytes[position - count..<position])
    }

    mutating func item() -> MapItem? {
        guard let digest = slice(Digest.byteCount), let first = varint(), let second = varint() else { return nil }
        return MapItem(
            digest: Digest(loading: digest), first: Int64(bitPattern: first), second: Int64(bitPattern: second))
    }

    /// Where a key of a whole node starts to differ from the one before, and how much of it follows.
    mutating func keyLengths(after previous: Int) -> (shared: Int, rest: Int)? {
        guard let shared = varint(), let rest = varint(), shared <= UInt64(previous), rest >= 1,
            rest <= UInt64(Value.ID.maximumByteCount) - shared
        else { return nil }
        return (Int(shared), Int(rest))
    }

    /// The length of all of the next `count` keys, without moving on; nil if there are not so many.
    func byteCount(ofKeys count: Int) -> Int? {
        var cursor = self
        var (previous, total) = (0, 0)
        for _ in 0..<count {
            guard let (shared, rest) = cursor.keyLengths(after: previous), cursor.slice(rest) != nil else { return nil }
            previous = shared + rest
            total += previous
        }
        return total
    }
}
