/// A table of at most a fixed number of nodes, in sets of slots; a node has its place in one set. In a full set a hand goes around,
/// and the first node that was not used since it last came by makes room.
struct MapNodeTable {
    private struct Slot {
        /// 0: free.
        var id: Int64 = 0
        var isUsed = false
        var node: MapNode?
    }

    private var slots: [Slot]
    /// For each set, the slot that is looked at next.
    private var hands: [Int]
    private let setBits: Int
    private static let ways = 16

    /// Rounds the capacity up to a power of two of at least 16.
    init(capacity: Int) {
        var bits = 0
        while Self.ways << bits < capacity, bits < 24 { bits += 1 }
        setBits = bits
        slots = [Slot](repeating: Slot(), count: Self.ways << bits)
        hands = [Int](repeating: 0, count: 1 << bits)
    }

    var capacity: Int { slots.count }

    mutating func node(_ id: Int64) -> MapNode? {
        guard let place = place(of: id, in: set(of: id)) else { return nil }
        if !slots[place].isUsed { slots[place].isUsed = true }
        return slots[place].node
    }

    mutating func insert(_ node: MapNode, id: Int64) {
        let set = set(of: id)
        let place = place(of: id, in: set) ?? place(of: 0, in: set) ?? leastUsed(in: set)
        slots[place] = Slot(id: id, isUsed: true, node: node)
    }

    /// Makes a node the first of its set to go.
    mutating func demote(_ id: Int64) {
        let set = set(of: id)
        guard let place = place(of: id, in: set) else { return }
        slots[place].isUsed = false
        hands[set] = place - set * Self.ways
    }

    private mutating func leastUsed(in set: Int) -> Int {
        while true {
            let place = set * Self.ways + hands[set]
            hands[set] = (hands[set] + 1) % Self.ways
            if !slots[place].isUsed { return place }
            slots[place].isUsed = false
        }
    }

    private func place(of id: Int64, in set: Int) -> Int? {
        for place in set * Self.ways..<(set + 1) * Self.ways where slots[place].id == id { return place }
        return nil
    }

    /// Multiplied by 2⁶⁴ over the golden ratio: rows in a row fall into sets far apart.
    private func set(of id: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9e37_79b9_7f4a_7c15) >> UInt64(64 - setBits))
    }
}
