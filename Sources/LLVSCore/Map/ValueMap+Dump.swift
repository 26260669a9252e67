extension ValueMap {
    /// The tree as text, for tests and diagnosis: a line a node with its level, number of values, and the start of its
    /// digest; leaves with their ids. Rows and deltas, which depend on history, are left out.
    package func dump(_ root: MapRoot, reader: any StorageReader, staged: StagedMapNodes? = nil) throws -> String {
        let source = source(reader, staged)
        guard let top = try source.root(root) else { return "empty" }
        var lines: [String] = []
        try Self.dump(top, root.digest, indent: "", source, &lines)
        return lines.joined(separator: "\n")
    }

    private static func dump(
        _ node: MapNode, _ digest: Digest, indent: String, _ source: MapNodeReader, _ lines: inout [String]
    ) throws {
        var line = "\(indent)level \(node.level) holds \(node.total) \(digest.base32.prefix(8))"
        if node.level == 0 {
            let ids = (0..<node.count).map { String(decoding: node.keys[$0], as: UTF8.self) }
            line += ": " + ids.joined(separator: " ")
        }
        lines.append(line)
        guard node.level > 0 else { return }
        for index in 0..<node.count {
            let child = try source.child(of: node, at: index)
            try dump(child, node.items[index].digest, indent: indent + "  ", source, &lines)
        }
    }
}
