/// Hashes that were met, coarsely: of what was not inserted, one in sixteen seems to be there.
struct HashFilter {
    private var bits: [UInt64]
    private let mask: UInt64

    init(capacity: Int) {
        var words = 1
        while words * 4 < capacity { words *= 2 }
        bits = [UInt64](repeating: 0, count: words)
        mask = UInt64(words - 1)
    }

    @inline(__always)
    mutating func insert(_ hash: UInt64) { bits[Int(hash >> 6 & mask)] |= 1 << (hash & 63) }

    @inline(__always)
    func mayContain(_ hash: UInt64) -> Bool { bits[Int(hash >> 6 & mask)] & 1 << (hash & 63) != 0 }
}

/// Hashes, which need not be hashed again: a table with open addressing.
struct HashSet {
    private var slots: [UInt64]

    init(_ hashes: [UInt64]) {
        var count = 16
        while count < hashes.count * 2 { count *= 2 }
        slots = [UInt64](repeating: 0, count: count)
        for hash in hashes {
            let value = Self.marked(hash)
            var slot = Int(truncatingIfNeeded: hash >> 8) & (count - 1)
            while slots[slot] != 0, slots[slot] != value { slot = (slot + 1) & (count - 1) }
            slots[slot] = value
        }
    }

    @inline(__always)
    func contains(_ hash: UInt64) -> Bool {
        let value = Self.marked(hash)
        var slot = Int(truncatingIfNeeded: hash >> 8) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] == value { return true }
            slot = (slot + 1) & (slots.count - 1)
        }
        return false
    }

    /// Zero stands for an empty slot.
    private static func marked(_ hash: UInt64) -> UInt64 { hash | 1 }
}
