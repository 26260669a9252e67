extension ValueMap {
    /// The number of levels and nodes of a map. Reads its inner nodes, not the leaves.
    package func size(
        of root: MapRoot, reader: any StorageReader, staged: StagedMapNodes? = nil
    ) throws -> (depth: Int, nodes: Int) {
        let source = source(reader, staged)
        guard let top = try source.root(root) else { return (0, 0) }
        return (Int(top.level) + 1, try Self.nodes(under: top, source))
    }

    private static func nodes(under node: MapNode, _ source: MapNodeReader) throws -> Int {
        if node.level == 0 { return 1 }
        if node.level == 1 { return 1 + node.count }
        var count = 1
        for index in 0..<node.count { count += try nodes(under: try source.child(of: node, at: index), source) }
        return count
    }
}
