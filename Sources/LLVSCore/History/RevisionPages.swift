extension Value {
    /// A version that changed a value, and what it made of it.
    public struct Revision: Hashable, Sendable {
        /// The version with the change.
        public let version: Version
        /// The value from this version on; nil if it was removed. Its `version` is another one where a merge took the
        /// content of one side.
        public let reference: Value.Reference?
        /// The value in the version's basis; nil if it was not there.
        public let replaced: Value.Reference?
        /// Whether the version is part of the history, rather than a merge that this device made for itself.
        public let isFirm: Bool
    }
}

extension Store {
    /// Every version that changed one value against its basis, newest first: descending by (generation, id). The versions of
    /// all branches and heads, and provisional merges in use.
    ///
    /// What a version is merged with and loses against stays listed. A merge is listed if its result differs from its basis;
    /// see ``resolvedForks(from:)`` for all that merges decided.
    ///
    /// The cost follows the versions that changed the value, and those that changed more than a thousand values at once,
    /// O(log n) each. In a store written before there was an index, the first call makes it, which reads every change list,
    /// and fails with ``StoreError/Code/readOnly`` where the store cannot be written to.
    public func versions(of id: Value.ID) -> HistorySequence<Value.Revision> {
        HistorySequence(self) { RevisionPages(of: id) }
    }
}

/// The revisions of one value, by the history's index.
struct RevisionPages: HistoryPages {
    private static let pageSize = 64

    private let id: Value.ID
    private var changed: IndexCursor
    private var broad = IndexCursor(StoreZones.broad, prefix: [])
    private(set) var isAtEnd = false

    init(of id: Value.ID) {
        self.id = id
        changed = IndexCursor(StoreZones.changed, prefix: HistoryIndex.prefix(of: id))
    }

    mutating func nextPage(of store: Store) throws -> [Value.Revision] {
        try store.prepareHistoryIndex()
        return try store.read { snapshot in
            var page: [Value.Revision] = []
            for _ in 0..<Self.pageSize {
                let generations = [try changed.generation(in: snapshot), try broad.generation(in: snapshot)]
                guard let generation = generations.compactMap(\.self).max() else {
                    isAtEnd = true
                    break
                }
                // In one generation keys are in order of arrival, versions by their ids.
                let rows = try changed.rows(of: generation, in: snapshot) + broad.rows(of: generation, in: snapshot)
                page += try rows.compactMap { try revision(in: $0, snapshot) }.sorted { $0.version.id > $1.version.id }
            }
            return page
        }
    }

    /// Nil if the version did not change the value, or does not count.
    private func revision(in row: Int64, _ snapshot: StoreSnapshot) throws -> Value.Revision? {
        let version = try snapshot.stored(row)
        let basis = try snapshot.stored(version.parents[version.basis])
        let new = try snapshot.reference(id, version)
        let old = try snapshot.reference(id, basis)
        guard new?.contentHash != old?.contentHash else { return nil }
        guard let state = try snapshot.entry(version.id)?.state else { throw StoreError.damagedRecord("the index") }
        guard state != .dropped else { return nil }
        return Value.Revision(
            version: try version.version(), reference: try new.map { try snapshot.valueReference(id, $0) },
            replaced: try old.map { try snapshot.valueReference(id, $0) }, isFirm: state == .firm)
    }
}

/// Goes through the keys of the history's index that start with some bytes.
private struct IndexCursor {
    private static let mostFetched = 64

    private let zone: KeyedZone
    private let end: [UInt8]?
    private var start: [UInt8]
    private var fetched: ArraySlice<(generation: UInt64, row: Int64)> = []
    private var isAtEnd = false

    init(_ zone: KeyedZone, prefix: [UInt8]) {
        self.zone = zone
        start = prefix
        end = ValueMap.end(ofPrefix: prefix)
    }

    /// The generation it is at; nil at the end.
    mutating func generation(in snapshot: StoreSnapshot) throws -> UInt64? {
        if fetched.isEmpty, !isAtEnd { try fetch(snapshot) }
        return fetched.first?.generation
    }

    /// Goes past everything of a generation, if it is at it.
    mutating func rows(of generation: UInt64, in snapshot: StoreSnapshot) throws -> [Int64] {
        var rows: [Int64] = []
        while try self.generation(in: snapshot) == generation, let next = fetched.popFirst() { rows.append(next.row) }
        return rows
    }

    private mutating func fetch(_ snapshot: StoreSnapshot) throws {
        var found: [(generation: UInt64, row: Int64)] = []
        var last: [UInt8]?
        try snapshot.reader.scan(zone, from: start, before: end) { key, _ in
            found.append(try HistoryIndex.place(fromKey: key))
            last = key
            return found.count < Self.mostFetched
        }
        isAtEnd = found.count < Self.mostFetched
        fetched = found[...]
        // The next key in the order of bytes.
        if let last { start = last + [0] }
    }
}
