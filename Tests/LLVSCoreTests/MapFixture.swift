import LLVSCore

/// Rows in memory under one map, with counts of what is read and written, and bytes that can be damaged.
final class MapRows: StorageWriter {
    static let zone = RowZone("nodes")
    var rows: [[UInt8]?] = []
    var reads = 0

    /// The same rows, as a reading transaction has them.
    var reader: any StorageReader { Reader(rows: self) }

    func row(_ id: Int64, in zone: RowZone) throws -> [UInt8]? {
        reads += 1
        return rows.indices.contains(Int(id) - 1) ? rows[Int(id) - 1] : nil
    }
    func setRow(_ bytes: [UInt8], at id: Int64, in zone: RowZone) throws {
        guard id == Int64(rows.count) + 1 else { throw Unused() }
        rows.append(bytes)
    }
    func lastRow(in zone: RowZone) throws -> Int64 { Int64(rows.count) }

    // What no map uses.
    func append(_ bytes: [UInt8], to zone: RowZone) throws -> Int64 { throw Unused() }
    func removeRow(_ id: Int64, in zone: RowZone) throws { throw Unused() }
    func value(_ key: [UInt8], in zone: KeyedZone) throws -> [UInt8]? { throw Unused() }
    func put(_ value: [UInt8], for key: [UInt8], in zone: KeyedZone) throws { throw Unused() }
    func remove(_ key: [UInt8], in zone: KeyedZone) throws { throw Unused() }
    func scan(
        _ zone: KeyedZone, from: [UInt8], before: [UInt8]?, _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws { throw Unused() }
    func scanRows(_ zone: RowZone, from: Int64, _ body: (Int64, [UInt8]) throws -> Bool) throws { throw Unused() }

    struct Unused: Error {}

    private struct Reader: StorageReader {
        let rows: MapRows
        func row(_ id: Int64, in zone: RowZone) throws -> [UInt8]? { try rows.row(id, in: zone) }
        func lastRow(in zone: RowZone) throws -> Int64 { try rows.lastRow(in: zone) }
        func value(_ key: [UInt8], in zone: KeyedZone) throws -> [UInt8]? { throw Unused() }
        func scan(
            _ zone: KeyedZone, from: [UInt8], before: [UInt8]?, _ body: ([UInt8], [UInt8]) throws -> Bool
        ) throws { throw Unused() }
        func scanRows(_ zone: RowZone, from: Int64, _ body: (Int64, [UInt8]) throws -> Bool) throws { throw Unused() }
    }
}

/// A map over rows in memory.
struct MapFixture {
    let rows = MapRows()
    let map: ValueMap

    init(cacheCapacity: Int = 4096) {
        map = ValueMap(nodes: MapRows.zone, cache: MapNodeCache(capacity: cacheCapacity))
    }

    func apply(_ edits: [(Value.ID, MapEdit)], to root: MapRoot = .empty) throws -> MapRoot {
        let staged = StagedMapNodes()
        let result = try map.apply(edits.sorted { $0.0 < $1.0 }, to: root, writer: rows, staged: staged)
        map.cache.adopt(staged)
        return result
    }

    /// The map of `content`, built at once.
    func build(_ content: [Value.ID: MapReference]) throws -> MapRoot {
        try apply(content.map { ($0.key, .put($0.value)) })
    }

    func content(_ root: MapRoot, from: [UInt8] = [], before: [UInt8]? = nil) throws -> [Listed] {
        var list: [Listed] = []
        try map.forEach(in: root, from: from, before: before, reader: rows.reader) { id, reference in
            list.append(Listed(id: id, reference: reference))
            return true
        }
        return list
    }

    struct Listed: Hashable {
        let id: Value.ID
        let reference: MapReference
    }

    static func listed(_ content: [Value.ID: MapReference]) -> [Listed] {
        content.map { Listed(id: $0.key, reference: $0.value) }.sorted { $0.id < $1.id }
    }
}

extension MapReference {
    /// A reference that is a function of `number`.
    init(_ number: Int) {
        self.init(
            contentHash: SHA256.hash([UInt8]("content \(number)".utf8)), version: Int64(number % 1000 + 1),
            body: Int64(number + 1))
    }
}

/// A generator whose whole run follows from its seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// For what holds of nearly every seed: how much is written, for example.
    static let fixedSeeds: [UInt64] = [1, 20_240_229]
    /// For what holds of every seed: the fixed ones and a new one each run; a failing test prints its own as its argument.
    static let seeds = fixedSeeds + [UInt64.random(in: 0...UInt64(UInt32.max))]
}

/// Ways in which ids look, each with other boundaries and prefixes.
enum MapIDs: CaseIterable, Sendable {
    case numbered
    case random
    case prefixed
    case nested

    func id(_ number: Int) throws -> Value.ID {
        switch self {
        case .numbered: try Value.ID("item-\(1_000_000 + number)")
        case .random: try Value.ID(String(SHA256.hash([UInt8]("\(number)".utf8)).base32.prefix(20)))
        case .prefixed: try Value.ID(String(repeating: "folder/", count: 30) + "\(number % 7)/é\(number)")
        case .nested:
            try Value.ID(String(repeating: "a", count: number % 97 + 1) + String(repeating: "b", count: number / 97))
        }
    }
}
