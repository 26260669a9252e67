extension Store {
    /// Whether the store has the version, firm or not. The root is always there.
    public func contains(_ id: Version.ID) throws -> Bool { try state(of: id) != nil }

    /// The ids of at most `limit` versions, firm or not, whose text starts with `prefix`, ascending. Costs what it returns.
    public func versionIDs(startingWith prefix: String, limit: Int) throws -> [Version.ID] {
        let start = Array(prefix.utf8)
        var found: [Version.ID] = []
        if limit < 1 { return found }
        try storage.read { reader in
            try reader.scan(StoreZones.index, from: start, before: nil) { key, _ in
                guard key.starts(with: start) else { return false }
                found.append(try Version.ID(utf8: key))
                return found.count < limit
            }
        }
        return found
    }
}
