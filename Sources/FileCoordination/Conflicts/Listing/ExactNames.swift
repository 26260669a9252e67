/// Places of names by their bytes: a hash table with open addressing.
struct ExactNames {
    private var slots: [Int32]
    /// Chosen anew for each folder, so that nobody can make up names that collide.
    private let multiplier = UInt64.random(in: 0 ... .max) | 1

    init(_ names: NameArena) {
        var count = 16
        while count < names.indices.count * 2 { count *= 2 }
        slots = [Int32](repeating: -1, count: count)
        for place in names.indices {
            var slot = names.withName(place, hash) & (count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (count - 1) }
            slots[slot] = Int32(truncatingIfNeeded: place)
        }
    }

    func find(_ name: UnsafeRawBufferPointer, in names: NameArena) -> Int? {
        var slot = hash(name) & (slots.count - 1)
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if names.withName(place, { $0.count == name.count && $0.elementsEqual(name) }) { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func hash(_ name: UnsafeRawBufferPointer) -> Int {
        var value = UInt64(truncatingIfNeeded: name.count)
        var place = 0
        while place + 8 <= name.count {
            value = mixed(value ^ name.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        var rest: UInt64 = 0
        while place < name.count {
            rest = rest << 8 | UInt64(name[place])
            place += 1
        }
        return Int(truncatingIfNeeded: mixed(value ^ rest) & UInt64(Int32.max))
    }

    private func mixed(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }
}
