/// All versions of a store with their parents: about 100 bytes a version in memory.
struct VersionGraph {
    /// Every version, ascending: parents come before children.
    private(set) var rows: [Int64] = []
    /// Those that nothing goes on from, and the ends of branches, merged or not.
    private(set) var ends: Set<Int64> = []
    private var first: [Int64: Int64] = [:]
    private var second: [Int64: Int64] = [:]

    init(in snapshot: StoreSnapshot) throws {
        let last = try snapshot.reader.lastRow(in: StoreZones.versions)
        try snapshot.reader.scanRows(StoreZones.versions, from: 1) { row, bytes in
            guard row <= last else { return false }
            let version = try StoredVersion(decoding: bytes, row: row)
            rows.append(row)
            first[row] = version.parents.first
            if version.parents.count > 1 { second[row] = version.parents[1] }
            ends.insert(row)
            for parent in version.parents { ends.remove(parent) }
            return true
        }
        for versions in Dictionary(grouping: try snapshot.branchHeads([]), by: \.branch).values {
            ends.formUnion(try snapshot.maximal(of: versions).map(\.row))
        }
    }

    func parents(of row: Int64) -> [Int64] { [first[row], second[row]].compactMap { $0 } }

    /// Those of a set of versions that none of the others is a child of.
    func maximal(of set: [Int64]) -> Set<Int64> {
        var maximal = Set(set)
        for row in set {
            for parent in parents(of: row) { maximal.remove(parent) }
        }
        return maximal
    }

    /// The given versions and every one that two of them can have as a base of their merge: a common ancestor below which
    /// there is none of the same two. One pass towards the root, which counts for each version which of the given descend from
    /// it: where a child has as many as its parent, whatever the parent is common to, the child is too.
    func needed(ends: Set<Int64>) -> RowSet {
        var sets = EndSets()
        /// Version → the ends that it is or that descend from it, and the most that one of its children has.
        var found: [Int64: (set: Int, most: Int)] = [:]
        var needed = RowSet()
        for row in rows.reversed() {
            var (set, most) = found.removeValue(forKey: row) ?? (EndSets.empty, 0)
            if ends.contains(row) { set = sets.adding(row, to: set) }
            if sets.count(of: set) > most { needed.insert(row) }
            most = sets.count(of: set)
            for parent in parents(of: row) {
                let known = found[parent] ?? (EndSets.empty, 0)
                found[parent] = (sets.union(known.set, set), max(known.most, most))
            }
        }
        return needed
    }
}

/// Sets of version rows, each kept once: in a history that hardly forks there are few.
private struct EndSets {
    static let empty = 0
    private var sets: [Set<Int64>] = [[]]
    private var numbers: [Set<Int64>: Int] = [[]: 0]
    private var unions: [[Int]: Int] = [:]

    func count(of set: Int) -> Int { sets[set].count }

    mutating func adding(_ row: Int64, to set: Int) -> Int { number(of: sets[set].union([row])) }

    mutating func union(_ one: Int, _ other: Int) -> Int {
        if one == other || other == Self.empty { return one }
        if one == Self.empty { return other }
        let key = [min(one, other), max(one, other)]
        if let known = unions[key] { return known }
        let union = number(of: sets[one].union(sets[other]))
        unions[key] = union
        return union
    }

    private mutating func number(of set: Set<Int64>) -> Int {
        if let known = numbers[set] { return known }
        numbers[set] = sets.count
        sets.append(set)
        return sets.count - 1
    }
}
