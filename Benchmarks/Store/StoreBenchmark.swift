import Foundation
import LLVSCore

/// Saving and reading.
struct StoreBenchmark {
    let directory: URL
    let keys: Int

    private func id(_ number: Int) -> String { "\(UUID(uuid: Self.bytes(UInt64(number))))" }

    /// A fixed scatter of the number: random-looking keys, the same at every run.
    private static func bytes(_ number: UInt64) -> uuid_t {
        let a = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
        let b = (a ^ (a >> 31)) &* 0xBF58_476D_1CE4_E5B9
        func byte(_ value: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> (8 * index)) }
        return (
            byte(a, 0), byte(a, 1), byte(a, 2), byte(a, 3), byte(a, 4), byte(a, 5), byte(a, 6), byte(a, 7), byte(b, 0),
            byte(b, 1), byte(b, 2), byte(b, 3), byte(b, 4), byte(b, 5), byte(b, 6), byte(b, 7)
        )
    }

    private func body(_ number: Int) -> [UInt8] { (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) } }

    func run() throws -> [Measurement] {
        let store = try Store.create(at: directory.appending(path: "store").path)
        let raw = try RawSQLite(at: directory.appending(path: "raw.sqlite").path)
        var current = Version.ID.root
        var results: [Measurement] = []

        let ids = try (0..<keys).map { try Value.ID(id($0)) }
        results.append(
            try .median(
                "bulk: all keys as one version", count: keys, rounds: 1,
                ours: { _ in
                    let changes = ids.enumerated().map { number, id in
                        Value.Change.insert(Value(id: id, content: .bytes(body(number))))
                    }
                    current = try store.makeVersion(basedOn: current, changes: changes).id
                },
                floor: { _ in
                    try raw.execute("BEGIN IMMEDIATE")
                    for (number, id) in ids.enumerated() { try raw.put(id.utf8, body(number)) }
                    try raw.execute("COMMIT")
                }))

        let saves = 300
        results.append(
            try .median(
                "save: one value a version", count: saves,
                ours: { round in
                    for save in 0..<saves {
                        let id = ids[(save * 7_919 + round) % keys]
                        let change = Value.Change.update(Value(id: id, content: .bytes(body(save + round + 1))))
                        current = try store.makeVersion(basedOn: current, changes: [change]).id
                    }
                },
                floor: { round in
                    for save in 0..<saves {
                        try raw.execute("BEGIN IMMEDIATE")
                        try raw.put(ids[(save * 7_919 + round) % keys].utf8, body(save + round + 1))
                        try raw.execute("INSERT INTO version(record) VALUES(zeroblob(300))")
                        try raw.execute("COMMIT")
                    }
                }))

        let reads = 2_000
        results.append(
            try .median(
                "read: one value", count: reads,
                ours: { round in
                    for read in 0..<reads { _ = try store.bytes(of: ids[(read * 6_007 + round) % keys], at: current) }
                },
                floor: { round in
                    for read in 0..<reads { _ = try raw.get(ids[(read * 6_007 + round) % keys].utf8) }
                }))
        try store.close()
        return results
    }
}
