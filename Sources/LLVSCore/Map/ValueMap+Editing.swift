extension ValueMap {
    /// Makes `edits`, ascending by id without duplicates, and returns the root of the map that has them.
    ///
    /// Writes about one node a level for an edit, and the same nodes whether edits come together or one by one. If nothing
    /// changes nothing is written, and the root is `root` itself. `root` stays readable. A reference that changes rows but
    /// not its content hash makes another root of the same digest.
    ///
    /// The nodes are as committed as the transaction: hand over `staged`, and have the cache adopt it after the commit.
    package func apply(
        _ edits: [(Value.ID, MapEdit)], to root: MapRoot, writer: any StorageWriter, staged: StagedMapNodes? = nil
    ) throws -> MapRoot {
        let edits = MapLevelEdits(edits)
        if edits.isEmpty { return root }
        var rewrite = try MapRewrite(of: root, source(writer, staged), writer)
        return try rewrite.apply(edits) ?? root
    }
}
