import Foundation
import LLVSCore

/// Saving, reading, comparing and merging in a store with many values.
final class StoreBenchmark {
    private let path: String
    private let keys: Int
    private let ids: [Value.ID]
    private var store: Store
    private let raw: RawSQLite
    private var head = Version.ID.root
    /// The version before ``longAgo`` saves.
    private var past = Version.ID.root
    private static let longAgo = 10_000

    init(directory: URL, keys: Int) throws {
        path = directory.appending(path: "store").path
        self.keys = keys
        ids = try BenchmarkValues.ids(0..<keys)
        store = try Store.create(at: path)
        raw = try RawSQLite(at: directory.appending(path: "raw.sqlite").path)
    }

    func run(_ report: (String) -> Void) async throws {
        report(try bulk().line)
        report(try save().line)
        report(try growth("growth: a save of one value", of: 1_000) { BenchmarkValues.update(ids[$0 * 97 % keys], $0) })
        report(
            try growth("growth: a save of one new value", of: 1_000) { [keys] in
                BenchmarkValues.insert(try BenchmarkValues.id(keys + $0), $0)
            })
        report(try reading("read: one value at the head", at: head).line)
        try makePast()
        report(try reading("read: \(Self.longAgo) versions back, first touch", at: past, rounds: 1, isWarm: false).line)
        report(try reading("read: \(Self.longAgo) versions back, warm", at: past).line)
        report(try enumeration().line)
        report(try differences(related: true).line)
        report(try differences(related: false).line)
        report(try await merging().line)
        try store.close()
    }

    private func bulk() throws -> Measurement {
        try .median(
            "bulk: all keys as one version", count: keys, rounds: 1,
            ours: { [self] _ in
                let changes = ids.enumerated().map { BenchmarkValues.insert($1, $0) }
                head = try store.makeVersion(basedOn: head, changes: changes).id
            },
            floor: { [self] _ in
                try raw.execute("BEGIN IMMEDIATE")
                for (number, id) in ids.enumerated() { try raw.put(id.utf8, BenchmarkValues.body(number)) }
                try raw.execute("COMMIT")
            })
    }

    private func save() throws -> Measurement {
        let saves = 300
        return try .median(
            "save: one value a version", count: saves,
            ours: { [self] round in
                for save in 0..<saves {
                    let change = BenchmarkValues.update(ids[(save * 7_919 + round) % keys], save + round + 1)
                    head = try store.makeVersion(basedOn: head, changes: [change]).id
                }
            },
            floor: { [self] round in
                for save in 0..<saves {
                    try raw.execute("BEGIN IMMEDIATE")
                    try raw.put(ids[(save * 7_919 + round) % keys].utf8, BenchmarkValues.body(save + round + 1))
                    try raw.execute("INSERT INTO version(record) VALUES(zeroblob(300))")
                    try raw.execute("COMMIT")
                }
            })
    }

    /// Bytes in the file for each save, beyond the value of 200 bytes and a row of 300.
    private func growth(_ name: String, of saves: Int, _ change: (Int) throws -> Value.Change) throws -> String {
        let before = try RawSQLite.usedBytes(ofDatabase: path + "/store.sqlite")
        for save in 0..<saves { head = try store.makeVersion(basedOn: head, changes: [change(save)]).id }
        let bytes = try (RawSQLite.usedBytes(ofDatabase: path + "/store.sqlite") - before) / saves
        return name.padded(to: 44) + " \(bytes - 500) B beyond two rows"
    }

    /// Warm: every key was read before, of the floor too.
    private func reading(
        _ name: String, at version: Version.ID, rounds: Int = 5, isWarm: Bool = true
    ) throws -> Measurement {
        let reads = 2_000
        func ours(_ round: Int) throws {
            for read in 0..<reads { _ = try store.bytes(of: ids[(read * 6_007 + round) % keys], at: version) }
        }
        func floor(_ round: Int) throws {
            for read in 0..<reads { _ = try raw.get(ids[(read * 6_007 + round) % keys].utf8) }
        }
        for round in 0..<rounds where isWarm {
            try ours(round)
            try floor(round)
        }
        return try .median(name, count: reads, rounds: rounds, ours: ours, floor: floor)
    }

    /// Saves many versions and opens the store anew, so that nothing of it is in memory.
    private func makePast() throws {
        past = head
        for save in 0..<Self.longAgo {
            let change = BenchmarkValues.update(ids[save * 131 % keys], save)
            head = try store.makeVersion(basedOn: head, changes: [change]).id
        }
        try store.close()
        store = try Store.open(at: path)
    }

    private func enumeration() throws -> Measurement {
        try .median(
            "enumerate all values with their bytes", count: keys, rounds: 3,
            ours: { [self] _ in
                var bytes = 0
                try store.forEachContent(at: head) { _, content in
                    bytes += try content.allBytes().count
                    return true
                }
            },
            floor: { [self] _ in _ = try raw.sizeOfAll() })
    }

    /// A thousand saves apart on one line, or five hundred each on two.
    private func differences(related: Bool) throws -> Measurement {
        let count = 1_000
        var ends = [head, head]
        for save in 0..<count {
            let side = related ? 1 : save % 2
            let change = BenchmarkValues.update(ids[save * 89 % keys], save + (related ? 3 : 5))
            ends[side] = try store.makeVersion(basedOn: ends[side], changes: [change]).id
        }
        let pair = ends
        if related { head = pair[1] }
        return try .median(
            "differences: 1,000 versions apart, \(related ? "related" : "unrelated")", count: count,
            ours: { [self] _ in _ = try store.differences(from: pair[0], to: pair[1]) },
            floor: { [self] _ in
                for read in 0..<2 * count { _ = try raw.get(ids[read / 2 * 89 % keys].utf8) }
            })
    }

    /// Two times 1,000 changes, 100 of them of the same values.
    private func merging() async throws -> Measurement {
        var (own, bare): ([Duration], [Duration]) = ([], [])
        let clock = ContinuousClock()
        for round in 0..<3 {
            let coordinator = StoreCoordinator(store: store, name: "merge \(round)")
            try await coordinator.merge()
            let base = try await coordinator.current()
            func side(_ offset: Int) throws {
                let changes = (offset..<offset + 1_000).map {
                    BenchmarkValues.update(ids[($0 * 53 + round) % keys], $0 + offset + round)
                }
                _ = try store.makeVersion(basedOn: base, changes: changes)
            }
            try side(0)
            try side(900)
            own.append(try await clock.measure { try await coordinator.merge() })
            bare.append(
                try clock.measure {
                    for read in 0..<2_000 { _ = try raw.get(ids[(read * 53 + round) % keys].utf8) }
                    try raw.execute("BEGIN IMMEDIATE")
                    for number in 0..<1_000 {
                        try raw.put(ids[(number * 53 + round) % keys].utf8, BenchmarkValues.body(number))
                    }
                    try raw.execute("COMMIT")
                })
        }
        return Measurement(
            name: "merge: 2 × 1,000 changes, 100 conflicts", ours: own.sorted()[1], floor: bare.sorted()[1],
            count: 2_000)
    }
}
