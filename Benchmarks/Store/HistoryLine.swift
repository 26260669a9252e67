import LLVSCore

/// A store with one value and as many versions as wanted, admitted in batches as those of other devices are.
final class HistoryLine {
    static let id: Value.ID = "n"

    let store: Store
    private(set) var tip = Version.ID.root
    private var count = 0

    init(_ store: Store) {
        self.store = store
    }

    func grow(to versions: Int) throws {
        tip = try side(of: versions - count, from: tip, saying: 0)
        count = versions
    }

    /// A line of versions on top of one. What it says makes it different from another.
    func side(of length: Int, from base: Version.ID, saying side: Int) throws -> Version.ID {
        var last = base == .root ? Version.root : try store.version(base)
        var content = base == .root ? nil : try store.reference(of: Self.id, at: base)?.contentHash
        var made = 0
        while made < length {
            let end = min(length, made + 5_000)
            try store.exchange(now: 0) { transaction in
                while made < end {
                    let bytes = Array("\(count) \(side) \(made)".utf8)
                    let record = try record(on: [last], replacing: content, with: SHA256.hash(bytes))
                    try transaction.admit(ArrivingVersion(record: record) { _ in .bytes(bytes) })
                    content = SHA256.hash(bytes)
                    last = record.version
                    made += 1
                }
            }
        }
        return last.id
    }

    func join(_ first: Version.ID, _ second: Version.ID) throws {
        let parents = try [store.version(first), store.version(second)]
        let content = try store.reference(of: Self.id, at: first)?.contentHash
        let bytes = Array("join \(count)".utf8)
        let record = try record(on: parents, replacing: content, with: SHA256.hash(bytes))
        try store.exchange(now: 0) { try $0.admit(ArrivingVersion(record: record) { _ in .bytes(bytes) }) }
        count += 1
        tip = record.id
    }

    private func record(on parents: [Version], replacing old: Digest?, with new: Digest) throws -> VersionRecord {
        let entry = ChangeList.Entry(
            id: Self.id, operation: old == nil ? .insert : .update, contentHash: new, replacedHash: old ?? .zero)
        return try VersionRecord(
            kind: .authored, parents: parents.map(\.id), basis: parents.first?.id ?? .root,
            generation: (parents.map(\.generation).max() ?? 0) + 1,
            stamp: Stamp.authored(now: 0, after: parents.map(\.stamp)), time: 0, metadata: .empty,
            changes: try ChangeList([entry]))
    }
}
