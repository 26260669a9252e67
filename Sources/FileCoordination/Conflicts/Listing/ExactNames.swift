/// Places of names by their bytes: a hash table with open addressing. A slot holds half of the hash beside the place, so that
/// what is not there is seldom looked at.
struct ExactNames {
    private var slots: [UInt64]
    private let hash: NameHash

    init(_ names: NameArena, by hash: NameHash) {
        var count = 16
        while count < names.indices.count * 2 { count *= 2 }
        var slots = [UInt64](repeating: 0, count: count)
        names.visit { place, name in
            let value = hash(name)
            var slot = Int(truncatingIfNeeded: value) & (count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
            slots[slot] = Self.tag(value) | UInt64(place + 1)
        }
        self.slots = slots
        self.hash = hash
    }

    func find(_ name: UnsafeRawBufferPointer, in names: NameArena) -> Int? {
        first(hash(name)) { place in names.withName(place) { $0.count == name.count && $0.elementsEqual(name) } }
    }

    @inline(__always)
    private func first(_ value: UInt64, where isMeant: (Int) -> Bool) -> Int? {
        var slot = Int(truncatingIfNeeded: value) & (slots.count - 1)
        while slots[slot] != 0 {
            let place = Int(slots[slot] & 0xFFFF_FFFF) - 1
            if slots[slot] & ~0xFFFF_FFFF == Self.tag(value), isMeant(place) { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private static func tag(_ value: UInt64) -> UInt64 { value & ~0xFFFF_FFFF }
}
