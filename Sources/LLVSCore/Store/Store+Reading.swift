extension Value {
    /// A value that two versions have differently.
    public struct Difference: Hashable, Sendable {
        /// The value's id.
        public let id: Value.ID
        /// The hash of its content in the first version; nil if it is absent there.
        public let old: Digest?
        /// The hash of its content in the second version; nil if it is absent there.
        public let new: Digest?
    }
}

extension Store {
    /// The content of a value at a version, or nil if the version does not have it. Bytes of at most 1 MiB come as bytes,
    /// more as a stream. O(log n).
    /// - Throws: ``StoreError``; never nil for what cannot be read.
    public func content(of id: Value.ID, at version: Version.ID) throws -> Value.Content? {
        // Where the map is in memory, its one row is all that is to be read.
        if let known = caches.firmVersion(version), let reference = StoreSnapshot.knownReference(id, known, caches) {
            let row = try storage.latestRow(reference.body, in: StoreZones.bodies)
            return try BodyStorage.content(reference.body, row, hash: reference.contentHash, of: storage)
        }
        return try read(at: version) { snapshot, version in
            guard let reference = try snapshot.reference(id, version) else { return nil }
            return try BodyStorage.content(
                reference.body, hash: reference.contentHash, in: snapshot.reader, of: storage)
        }
    }

    /// The bytes of a value at a version, or nil if the version does not have it. The whole value is in memory.
    public func bytes(of id: Value.ID, at version: Version.ID) throws -> [UInt8]? {
        try content(of: id, at: version)?.allBytes()
    }

    /// The size of a value's content in bytes, or nil if the version does not have it.
    public func size(of id: Value.ID, at version: Version.ID) throws -> UInt64? {
        try read(at: version) { snapshot, version in
            guard let reference = try snapshot.reference(id, version) else { return nil }
            return try BodyStorage.size(reference.body, in: snapshot.reader)
        }
    }

    /// The hash of a value's content and the version that stored it, or nil if the version does not have it.
    public func reference(of id: Value.ID, at version: Version.ID) throws -> Value.Reference? {
        try read(at: version) { snapshot, version in
            try snapshot.reference(id, version).map { try snapshot.valueReference(id, $0) }
        }
    }

    /// Calls `body` with each value whose id starts with `prefix`, ascending by the bytes of the ids, until it returns
    /// false.
    public func forEachValue(
        at version: Version.ID, prefix: String = "", _ body: (Value.Reference) throws -> Bool
    ) throws {
        try read { snapshot in
            let start = Array(prefix.utf8)
            try snapshot.forEachReference(in: try snapshot.get(version), prefix: start) { id, reference in
                try body(try snapshot.valueReference(id, reference))
            }
        }
    }

    /// Calls `body` with each value whose id starts with `prefix` and its content, ascending by the bytes of the ids, until it
    /// returns false: all in one transaction, which costs much less than asking for one value after the other. Contents of more
    /// than 1 MiB come as streams.
    public func forEachContent(
        at version: Version.ID, prefix: String = "", _ body: (Value.ID, Value.Content) throws -> Bool
    ) throws {
        try read { snapshot in
            var leaves: [(node: MapNode, entries: Range<Int>)] = []
            var count = 0
            // Whoever wants but the first few need not wait for many.
            var mostValues = 16
            try snapshot.forEachLeaf(in: try snapshot.get(version), prefix: Array(prefix.utf8)) { node, entries in
                leaves.append((node, entries))
                count += entries.count
                if count < mostValues { return true }
                defer {
                    leaves.removeAll(keepingCapacity: true)
                    count = 0
                }
                mostValues = min(1_024, mostValues * 4)
                return try forEachContent(of: leaves, snapshot, body)
            }
            _ = try forEachContent(of: leaves, snapshot, body)
        }
    }

    /// Calls `body` with the values of leaves and their contents; false if it returned false.
    private func forEachContent(
        of leaves: [(node: MapNode, entries: Range<Int>)], _ snapshot: StoreSnapshot,
        _ body: (Value.ID, Value.Content) throws -> Bool
    ) throws -> Bool {
        guard var (node, entries) = leaves.first else { return true }
        var next = leaves.dropFirst()
        var goesOn = true
        let rows = leaves.flatMap { node, entries in node.items[entries].map(\.reference.body) }
        try snapshot.reader.rows(rows, in: StoreZones.bodies) { row, bytes in
            if entries.isEmpty, let leaf = next.popFirst() { (node, entries) = leaf }
            let entry = entries.removeFirst()
            let content = try BodyStorage.content(row, bytes, hash: node.items[entry].digest, of: storage)
            goesOn = try body(node.id(at: entry), content)
            return goesOn
        }
        return goesOn
    }

    /// The ids that start with `prefix`, ascending by their bytes.
    public func valueIDs(at version: Version.ID, prefix: String = "") throws -> [Value.ID] {
        var ids: [Value.ID] = []
        try forEachValue(at: version, prefix: prefix) {
            ids.append($0.id)
            return true
        }
        return ids
    }

    /// The number of values at a version. O(1).
    public func valueCount(at version: Version.ID) throws -> Int {
        try read { try $0.get(version).map.count }
    }

    /// A digest of all ids and contents at a version: equal on every device exactly when they are equal. O(1).
    public func digest(at version: Version.ID) throws -> Digest {
        try read { try $0.get(version).map.digest }
    }

    /// The values that two versions have differently, ascending by id. Costs what differs, not what there is.
    public func differences(from old: Version.ID, to new: Version.ID) throws -> [Value.Difference] {
        try read { snapshot in
            var found: [Value.Difference] = []
            try snapshot.differences(from: try snapshot.get(old), to: try snapshot.get(new)) { id, old, new in
                found.append(Value.Difference(id: id, old: old?.contentHash, new: new?.contentHash))
            }
            return found
        }
    }
}
