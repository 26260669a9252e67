import TestSupport

@testable import LLVSCore

/// A random history with a few values and branches, and beside it a plain picture of every version to compare with.
struct HistoryModel {
    struct Entry {
        let parents: [Version.ID]
        /// The parent that the changes are against; nil for the root.
        let basis: Version.ID?
        let values: [Value.ID: String]
        let branch: Branch?
    }

    static let ids: [Value.ID] = ["a", "b", "c", "d"]
    static let branches: [Branch?] = [nil, nil, "draft", "é"]

    let builder: StoreBuilder
    private(set) var ids: [Version.ID] = []
    private(set) var entries: [Version.ID: Entry] = [:]
    private(set) var ancestry: [Version.ID: Set<Version.ID>] = [.root: []]

    var store: Store { builder.store }

    /// - Parameter filler: versions of another value that are in the store before.
    init(count: Int, random: inout SeededRandom, after filler: Int = 0) throws {
        builder = StoreBuilder()
        try builder.fill(filler)
        for number in 0..<count { try grow(number, &random) }
    }

    private mutating func grow(_ number: Int, _ random: inout SeededRandom) throws {
        let reach = Bool.random(using: &random) ? 3 : ids.count
        let tips = ids.suffix(reach)
        let isNew = Int.random(in: 0..<15, using: &random) == 0
        let one = isNew ? .root : tips.randomElement(using: &random) ?? .root
        let other = tips.randomElement(using: &random) ?? .root
        let merges = Int.random(in: 0..<5, using: &random) < 2 && one != other && ![one, other].contains(.root)
        let parents = merges ? [one, other] : [one]
        var values = entries[one]?.values ?? [:]
        var changes: [Value.ID: String?] = [:]
        for id in Self.ids where Int.random(in: 0..<3, using: &random) == 0 {
            let second = merges ? entries[other]?.values[id] : nil
            // A merge takes the other side's content, or its own; others insert, update or remove.
            let new: String? = Bool.random(using: &random) ? second ?? "\(number)" : nil
            if new == nil && values[id] == nil { continue }
            changes[id] = new
            values[id] = new
        }
        let branch = Self.branches.randomElement(using: &random) ?? nil
        // The root of every value: no two versions are the same.
        changes["number"] = "\(number)"
        values["number"] = "\(number)"
        let id = try builder.save(changes, on: one, and: merges ? other : nil, branch: branch)
        ids.append(id)
        entries[id] = Entry(parents: parents, basis: one == .root ? nil : one, values: values, branch: branch)
        ancestry[id] = parents.reduce(into: [id]) { $0.formUnion(ancestry[$1] ?? []) }
    }

    /// Those of `versions` that none of the others descends from.
    func maximal(_ versions: Set<Version.ID>) -> Set<Version.ID> {
        versions.filter { id in !versions.contains { $0 != id && ancestry[$0]?.contains(id) == true } }
    }

    /// The versions in which a value is not what it is in the basis.
    func revisions(of id: Value.ID) -> Set<Version.ID> {
        Set(
            ids.filter { version in
                let basis = entries[version]?.basis.flatMap { entries[$0] }
                return entries[version]?.values[id] != basis?.values[id]
            })
    }

    /// A conflict of a merge, in words.
    struct Conflict: Hashable {
        let merge: Version.ID
        let id: Value.ID
        let sides: Set<String?>
        let result: String?
    }

    /// The conflicts of all merges with at most one maximal common ancestor, by comparing all values.
    func conflicts() -> Set<Conflict> {
        var found: Set<Conflict> = []
        for merge in ids {
            guard let entry = entries[merge], entry.parents.count == 2, let base = base(of: entry.parents) else {
                continue
            }
            for id in Self.ids + ["number"] {
                let sides = entry.parents.map { entries[$0]?.values[id] }
                let changed = sides.filter { $0 != base[id] }.count
                let result = entry.values[id]
                let expected = sides.first { $0 != base[id] } ?? base[id]
                guard sides[0] != sides[1], changed == 2 || result != expected else { continue }
                found.insert(Conflict(merge: merge, id: id, sides: Set(sides), result: result))
            }
        }
        return found
    }

    /// The values at the one common ancestor; nil if there are several.
    private func base(of parents: [Version.ID]) -> [Value.ID: String]? {
        let common = maximal((ancestry[parents[0]] ?? []).intersection(ancestry[parents[1]] ?? []))
        if common.count > 1 { return nil }
        return common.first.flatMap { entries[$0]?.values } ?? [:]
    }

    /// Whether a merge has at most one maximal common ancestor, one being the other's ancestor left aside.
    func hasOneBase(_ merge: Version.ID) -> Bool {
        entries[merge].map { $0.parents.count == 2 && base(of: $0.parents) != nil } ?? false
    }
}

extension StoreBuilder {
    /// Saves so many versions of the value "filler", each on the one before.
    @discardableResult
    func fill(_ count: Int) throws -> Version.ID {
        var tip = Version.ID.root
        for number in 0..<count { tip = try save(["filler": "\(number)"], on: tip) }
        return tip
    }
}
