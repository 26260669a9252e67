extension ValueMap {
    /// Calls `body` with each id from `from` on, up to but not including `before` (nil: to the end), ascending by bytes,
    /// until it returns false.
    package func forEach(
        in root: MapRoot, from: [UInt8] = [], before: [UInt8]? = nil, reader: any StorageReader,
        staged: StagedMapNodes? = nil, _ body: (Value.ID, MapReference) throws -> Bool
    ) throws {
        try forEachLeaf(in: root, from: from, before: before, reader: reader, staged: staged) { leaf, entries in
            for index in entries {
                guard try body(leaf.id(at: index), leaf.items[index].reference) else { return false }
            }
            return true
        }
    }

    /// As ``forEach(in:from:before:reader:staged:_:)``, with the ids that a leaf has, at least one, together.
    func forEachLeaf(
        in root: MapRoot, from: [UInt8], before: [UInt8]?, reader: any StorageReader, staged: StagedMapNodes?,
        _ body: (MapNode, Range<Int>) throws -> Bool
    ) throws {
        let source = source(reader, staged)
        guard let top = try source.root(root) else { return }
        var path = try Self.path(to: from, under: top, source)
        while let (node, index) = path.last {
            guard index < node.count else {
                path.removeLast()
                if !path.isEmpty { path[path.count - 1].index += 1 }
                continue
            }
            if node.level > 0 {
                path.append((try source.child(of: node, at: index), 0))
                continue
            }
            let end = before.map { bound in bound.withUnsafeBytes { node.keys.search($0).index } } ?? node.count
            if index < end, try body(node, index..<end) == false { return }
            guard end == node.count else { return }
            path[path.count - 1].index = node.count
        }
    }

    /// Calls `body` with each id that begins with `prefix`, ascending by bytes, until it returns false.
    package func forEach(
        in root: MapRoot, prefix: [UInt8], reader: any StorageReader, staged: StagedMapNodes? = nil,
        _ body: (Value.ID, MapReference) throws -> Bool
    ) throws {
        try forEach(
            in: root, from: prefix, before: Self.end(ofPrefix: prefix), reader: reader, staged: staged, body)
    }

    /// How many ids begin with `prefix`.
    package func count(
        in root: MapRoot, prefix: [UInt8], reader: any StorageReader, staged: StagedMapNodes? = nil
    ) throws -> Int {
        try count(in: root, from: prefix, before: Self.end(ofPrefix: prefix), reader: reader, staged: staged)
    }

    /// The first bytes that come after everything that begins with `prefix`; nil if nothing does.
    package static func end(ofPrefix prefix: [UInt8]) -> [UInt8]? {
        guard let index = prefix.lastIndex(where: { $0 < 0xff }) else { return nil }
        return prefix[..<index] + [prefix[index] + 1]
    }

    /// The nodes from the root to the first leaf with an id not below `key`; short if all ids are.
    private static func path(
        to key: [UInt8], under top: MapNode, _ source: MapNodeReader
    ) throws -> [(node: MapNode, index: Int)] {
        try key.withUnsafeBytes { key in
            var path: [(node: MapNode, index: Int)] = []
            var node = top
            while true {
                let index = node.keys.search(key).index
                path.append((node, index))
                guard node.level > 0, index < node.count else { return path }
                node = try source.child(of: node, at: index)
            }
        }
    }
}
