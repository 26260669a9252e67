/// Counts of a store.
public struct StoreStatistics: Hashable, Sendable {
    /// Firm versions, without the root.
    public let versions: Int
    /// Merges of this device's own, in use or not, that do not count.
    public let looseVersions: Int
    /// Firm versions without firm children.
    public let heads: Int
    /// Branches that firm versions are on.
    public let branches: Int
    /// Values at the version that was asked for.
    public let values: Int
    /// Levels of that version's map: 0 without values, 1 for a single node.
    public let mapDepth: Int
    /// Nodes of that version's map.
    public let mapNodes: Int
    /// Nodes of the maps of all versions, which share what is equal.
    public let storedNodes: Int
    /// Contents stored, of all versions.
    public let storedContents: Int
}

extension Store {
    /// Counts a store and the map of one version. Costs reading that map's inner nodes, about one for 16 · 16 values, and
    /// what is not firm.
    public func statistics(at version: Version.ID) throws -> StoreStatistics {
        let branches = try branches().count
        return try read { snapshot in
            let map = try snapshot.mapSize(of: try snapshot.get(version))
            var loose = 0
            try snapshot.reader.scan(StoreZones.loose, from: [], before: nil) { _, _ in
                loose += 1
                return true
            }
            return StoreStatistics(
                versions: Int(try snapshot.reader.lastRow(in: StoreZones.firm)), looseVersions: loose,
                heads: try snapshot.heads().count, branches: branches, values: try snapshot.get(version).map.count,
                mapDepth: map.depth, mapNodes: map.nodes,
                storedNodes: Int(try snapshot.reader.lastRow(in: StoreZones.nodes)),
                storedContents: Int(try snapshot.reader.lastRow(in: StoreZones.bodies)))
        }
    }
}
