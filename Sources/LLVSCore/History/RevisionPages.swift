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
    /// Costs O(log n) for each version that changed the value, and a look-up for each thousand versions there are; the newest
    /// versions, less than a thousand, are asked one by one, as are those that changed more than a thousand values. So are
    /// the versions of a store written before there was an index, until its next thousand is full.
    public func versions(of id: Value.ID) -> HistorySequence<Value.Revision> {
        HistorySequence(self) { RevisionPages(of: id) }
    }
}

/// The revisions of one value: the newest versions one by one, and the rest by the history's index, a segment at a time.
struct RevisionPages: HistoryPages {
    private static let pageSize = 64

    private let id: Value.ID
    /// Rows up to this one were not looked at; nil before the first page.
    private var unread: Int64?
    /// What was found and may have to wait for others, ascending by (generation, id).
    private var found: [StoredVersion] = []

    init(of id: Value.ID) { self.id = id }

    var isAtEnd: Bool { unread == 0 && found.isEmpty }

    mutating func nextPage(of store: Store) throws -> [Value.Revision] {
        try store.read { snapshot in
            var page: [Value.Revision] = []
            for _ in 0..<Self.pageSize where page.count < Self.pageSize && !isAtEnd {
                let bound = try greatestUnreadGeneration(in: snapshot)
                while page.count < Self.pageSize, let last = found.last, last.generation > bound {
                    found.removeLast()
                    if let revision = try revision(in: last, snapshot) { page.append(revision) }
                }
                if page.count < Self.pageSize, unread != 0 { try readMore(snapshot) }
            }
            return page
        }
    }

    /// Versions that were not looked at have no greater generation; 0 if there are none.
    private func greatestUnreadGeneration(in snapshot: StoreSnapshot) throws -> UInt64 {
        guard let unread else { return .max }
        return try snapshot.segment(unread / HistoryIndex.segmentSize).greatestGeneration
    }

    /// Looks at the versions after the last segment, or at the segment before those that were looked at.
    private mutating func readMore(_ snapshot: StoreSnapshot) throws {
        guard let unread else {
            let indexed = try snapshot.reader.lastRow(in: StoreZones.segments) * HistoryIndex.segmentSize
            var recent: [StoredVersion] = []
            try snapshot.reader.scanRows(StoreZones.versions, from: indexed + 1) { row, bytes in
                recent.append(try StoredVersion(decoding: bytes, row: row))
                return true
            }
            found = try recent.filter { try isChanged(in: $0, snapshot) }
            self.unread = indexed
            return found.sort(by: StoredVersion.canonicalOrder)
        }
        let number = unread / HistoryIndex.segmentSize
        let prefix = HistoryIndex.prefix(of: id, in: number)
        var rows = try snapshot.segment(number).broad
        try snapshot.reader.scan(StoreZones.changed, from: prefix, before: ValueMap.end(ofPrefix: prefix)) { key, _ in
            guard key.count == 18 else { throw StoreError.damagedRecord("a key of the history's index") }
            rows.append((number - 1) * HistoryIndex.segmentSize + Int64(key[16]) << 8 + Int64(key[17]) + 1)
            return true
        }
        found += try rows.map { try snapshot.stored($0) }
        found.sort(by: StoredVersion.canonicalOrder)
        self.unread = unread - HistoryIndex.segmentSize
    }

    private func isChanged(in version: StoredVersion, _ snapshot: StoreSnapshot) throws -> Bool {
        let basis = try snapshot.stored(version.parents[version.basis])
        return try snapshot.reference(id, version)?.contentHash != snapshot.reference(id, basis)?.contentHash
    }

    /// Nil if the version did not change the value, or does not count.
    private func revision(in version: StoredVersion, _ snapshot: StoreSnapshot) throws -> Value.Revision? {
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
