@testable import LLVSCore
import TestSupport
import Testing

/// A random history and what brute force says of it.
private struct RandomHistory {
    let builder = StoreBuilder()
    private(set) var ids: [Version.ID] = []
    private(set) var parents: [Version.ID: [Version.ID]] = [:]
    private(set) var ancestors: [Version.ID: Set<Version.ID>] = [.root: [.root]]

    /// Versions of one or two parents, mostly recent ones, so that there are long lines, wide fans and criss-crosses.
    init(count: Int, random: inout SeededRandom) throws {
        for number in 0..<count {
            func any() -> Version.ID {
                let reach = Bool.random(using: &random) ? 4 : ids.count
                return ids.suffix(reach).randomElement(using: &random) ?? .root
            }
            let (one, two) = (Int.random(in: 0..<12, using: &random) == 0 ? .root : any(), any())
            let isMerge = one != two && one != .root && two != .root && Int.random(in: 0..<5, using: &random) < 2
            let id = try builder.save(["n": "\(number)"], on: one, and: isMerge ? two : nil)
            ids.append(id)
            parents[id] = isMerge ? [one, two] : [one]
            ancestors[id] = (parents[id] ?? []).reduce(into: [id]) { $0.formUnion(ancestors[$1] ?? []) }
        }
    }

    func ancestry(_ id: Version.ID) -> Set<Version.ID> { ancestors[id] ?? [] }

    /// Those of `ids` that none of the others descends from.
    func maximal(_ ids: Set<Version.ID>) -> Set<Version.ID> {
        ids.filter { id in !ids.contains { $0 != id && ancestry($0).contains(id) } }
    }
}

@Suite("History against brute force") struct HistoryTests {
    static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6]

    @Test("ancestors and common ancestors are those of brute force", arguments: seeds)
    func ancestry(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let history = try RandomHistory(count: 60, random: &random)
        let store = history.builder.store
        for one in history.ids + [.root] {
            for other in history.ids.suffix(25) + [.root] {
                #expect(try store.isAncestor(one, of: other) == history.ancestry(other).contains(one))
                let common = try store.commonAncestors(one, other)
                let expected = history.maximal(history.ancestry(one).intersection(history.ancestry(other)))
                #expect(Set(common.map(\.id)) == expected && common.count == expected.count, "seed \(seed)")
                let inOrder = common.sorted { ($0.generation, $0.id) < ($1.generation, $1.id) }
                #expect(common == inOrder)
            }
        }
    }

    @Test("a walk over two sets finds what either lacks", arguments: seeds)
    func sets(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let history = try RandomHistory(count: 50, random: &random)
        for _ in 0..<60 {
            let one = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
                history.ids.randomElement(using: &random)
            }
            let other = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
                history.ids.randomElement(using: &random)
            }
            let walk = try history.builder.store.read { snapshot in
                try AncestryWalk(one.map { try snapshot.get($0) }, other.map { try snapshot.get($0) }, in: snapshot)
            }
            let of = { (tips: [Version.ID]) in
                tips.reduce(into: Set<Version.ID>()) { $0.formUnion(history.ancestry($1)) }
            }
            // The root is in every history, and on neither side alone where the other is empty.
            let (mine, theirs) = (of(one), of(other))
            #expect(Set(walk.onlyFirst.map(\.id)) == mine.subtracting(theirs), "seed \(seed)")
            #expect(Set(walk.onlySecond.map(\.id)) == theirs.subtracting(mine), "seed \(seed)")
            #expect(Set(walk.common.map(\.id)) == history.maximal(mine.intersection(theirs)), "seed \(seed)")
        }
    }

    @Test("the log has every ancestor once, descending by generation and id", arguments: seeds)
    func log(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let history = try RandomHistory(count: 60, random: &random)
        let store = history.builder.store
        for tips in [[history.ids[59]], [history.ids[40], history.ids[58]], history.ids, [.root], []] {
            let log = try store.log(from: tips)
            let expected = tips.reduce(into: Set<Version.ID>()) { $0.formUnion(history.ancestry($1)) }
            #expect(Set(log.map(\.id)) == expected.subtracting([.root]) && Set(log.map(\.id)).count == log.count)
            #expect(log == log.sorted { ($0.generation, $0.id) > ($1.generation, $1.id) }, "seed \(seed)")
            for limit in [0, 1, 7, 1_000] {
                #expect(try store.log(from: tips, limit: limit) == Array(log.prefix(limit)))
            }
        }
    }

    @Test("heads are the versions without children, and the log of firm versions has parents first", arguments: seeds)
    func heads(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let history = try RandomHistory(count: 60, random: &random)
        let store = history.builder.store
        let heads = try store.heads()
        #expect(Set(heads.map(\.id)) == history.maximal(Set(history.ids)))
        #expect(heads == heads.sorted { ($0.generation, $0.id) < ($1.generation, $1.id) })
        #expect(try store.versionCount() == 60)
        var seen: Set<Version.ID> = [.root]
        for parcel in try history.builder.parcels() {
            #expect(parcel.record.version.parents.allSatisfy(seen.contains))
            #expect(seen.insert(parcel.id).inserted)
        }
        #expect(seen == Set(history.ids + [.root]))
    }

    @Test("two stores that got the same versions in different orders tell the same history", arguments: seeds)
    func sameEverywhere(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let history = try RandomHistory(count: 40, random: &random)
        let other = StoreBuilder()
        var waiting = try history.builder.parcels().shuffled(using: &random)
        while !waiting.isEmpty {
            let ready = try waiting.filter { try $0.record.version.parents.allSatisfy { try other.store.state(of: $0) != nil } }
            for parcel in ready { try other.admit(parcel) }
            waiting.removeAll { parcel in ready.contains { $0.id == parcel.id } }
        }
        let heads = try history.builder.store.heads()
        #expect(try other.store.heads() == heads)
        #expect(try other.store.log(from: heads.map(\.id)) == history.builder.store.log(from: heads.map(\.id)))
        for head in heads {
            #expect(try other.store.digest(at: head.id) == history.builder.store.digest(at: head.id))
        }
        #expect(try other.store.verify() == [])
    }
}
