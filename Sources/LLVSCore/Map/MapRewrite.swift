/// One pass of edits through the levels of a map, from the leaves up.
///
/// On each level nodes are taken apart from the first that an edit concerns, and put together again, until a new node ends
/// where an old one did: from there on the old nodes are what they would be. What that replaced are the edits of the level
/// above. A whole map that is built and one value that changes are the same walk.
struct MapRewrite {
    private let source: MapNodeReader
    private let writer: any StorageWriter
    private let oldRoot: MapNode?
    private let oldID: Int64

    /// The entries since the last cut.
    private var chunk = MapChunk()
    /// The old nodes that entries since the last cut come from, with their numbers.
    private var origins: [(node: MapNode, id: Int64, count: Int)] = []
    /// What was written in place of the nodes since the walk last fell out of step, as entries of the level above.
    private var written = MapChunk()
    /// The child of the node written last, if it has but one.
    private var onlyChild: MapItem?
    /// Rows that are given their numbers and not written yet: many together cost less.
    private var pending: [(id: Int64, bytes: ArraySlice<UInt8>)] = []
    private var lastRow: Int64

    private static let mostPending = 64

    init(of root: MapRoot, _ source: MapNodeReader, _ writer: any StorageWriter) throws {
        self.source = source
        self.writer = writer
        oldRoot = try source.root(root)
        oldID = root.node
        lastRow = try writer.lastRow(in: source.nodes)
    }

    /// The root after `edits`; nil if they change nothing.
    mutating func apply(_ edits: MapLevelEdits) throws -> MapRoot? {
        let root = try rewrite(edits)
        try flush()
        return root
    }

    private mutating func rewrite(_ edits: MapLevelEdits) throws -> MapRoot? {
        var edits = edits
        var level: UInt8 = 0
        let oldLevel = oldRoot?.level ?? 0
        while true {
            onlyChild = nil
            edits = try rewrite(level, edits)
            if edits.isEmpty { return nil }
            // The old root has been replaced, so what is put are all nodes of this level.
            if level >= oldLevel {
                let nodes = edits.items.compactMap(\.self)
                guard let only = nodes.first else { return .empty }
                if nodes.count == 1 { return MapRoot(try withoutOnlyChildren(only)) }
            }
            guard level < MapNode.maximumLevel else {
                throw MapNodeReader.damaged(oldID, "is as high as no map is")
            }
            level += 1
        }
    }

    /// Writes the nodes of one level that change, and returns what that changes in the level above.
    private mutating func rewrite(_ level: UInt8, _ edits: MapLevelEdits) throws -> MapLevelEdits {
        var above = MapLevelEdits()
        guard var cursor = try MapLevelCursor(level: level, under: oldRoot, id: oldID, source) else {
            for index in 0..<edits.count { try take(index, of: edits, level) }
            try finish(level)
            above.replace(MapKeys(), with: written)
            written.removeAll()
            return above
        }
        var next = 0
        var replaced = MapKeys()
        while next < edits.count {
            try cursor.seek(edits.keys, next)
            if try update(&cursor, edits, &next, &replaced) == false {
                repeat {
                    try merge(&cursor, edits, &next)
                    source.staged?.remove(cursor.id)
                    replaced.append(cursor.node.count - 1, of: cursor.node.keys)
                } while try !chunk.isEmpty && cursor.moveOn()
                try finish(level)
            }
            above.replace(replaced, with: written)
            replaced.removeAll()
            written.removeAll()
        }
        return above
    }

    /// Makes the edits from `next` on that concern the cursor's node, if they leave its keys as they are; false if not.
    private mutating func update(
        _ cursor: inout MapLevelCursor, _ edits: MapLevelEdits, _ next: inout Int, _ replaced: inout MapKeys
    ) throws -> Bool {
        let node = cursor.node
        var changed: [Int] = []
        var end = next
        while end < edits.count {
            let (index, found) = edits.keys.withKey(end) { node.keys.search($0) }
            if index == node.count, !cursor.isLast { break }
            switch (edits.items[end], found) {
            case (let item?, true): if item != node.items[index] { changed.append(index) }
            case (nil, false): break
            default: return false
            }
            end += 1
        }
        if !changed.isEmpty {
            var items = node.items
            var index = 0
            for edit in next..<end {
                guard let item = edits.items[edit] else { continue }
                while edits.keys.order(edit, node.keys, index) != 0 { index += 1 }
                items[index] = item
            }
            written.append(node.count - 1, of: node.keys, try write(items, at: changed, of: node, cursor.id))
            source.staged?.remove(cursor.id)
            replaced.append(node.count - 1, of: node.keys)
        }
        next = end
        return true
    }

    /// Takes the entries of the cursor's node, changed by the edits from `next` on that concern it.
    private mutating func merge(_ cursor: inout MapLevelCursor, _ edits: MapLevelEdits, _ next: inout Int) throws {
        let node = cursor.node
        let isLast = cursor.isLast
        // Up to the first key that comes or goes, cuts are where they were.
        var inStep = chunk.isEmpty
        var index = 0
        while index < node.count || (isLast && next < edits.count) {
            let order =
                index == node.count ? 1 : next == edits.count ? -1 : node.keys.order(index, edits.keys, next)
            if order < 0 {
                chunk.append(index, of: node.keys, node.items[index])
                noteOrigin(node, cursor.id)
                let known: Bool? = !inStep ? nil : index < node.count - 1 ? false : isLast ? nil : true
                try cutIfDue(node.level, known: known)
            } else {
                let keepsKeys = (order == 0) == (edits.items[next] != nil)
                inStep = inStep && keepsKeys
                try take(next, of: edits, node.level)
                next += 1
            }
            if order <= 0 { index += 1 }
        }
    }

    private mutating func take(_ index: Int, of edits: MapLevelEdits, _ level: UInt8) throws {
        guard let item = edits.items[index] else { return }
        chunk.append(index, of: edits.keys, item)
        try cutIfDue(level, known: nil)
    }

    private mutating func cutIfDue(_ level: UInt8, known: Bool?) throws {
        let count = chunk.count
        let due = known ?? chunk.keys.withKey(count - 1) { MapBoundary.cuts(after: $0, level: level, count: count) }
        if due { try finish(level) }
    }
}

// Writing.
extension MapRewrite {
    /// Ends the node that the entries since the last cut make up, if there are any.
    private mutating func finish(_ level: UInt8) throws {
        guard !chunk.isEmpty else { return }
        let (keys, items) = (chunk.keys, chunk.items)
        let (row, links) = row(level: level, keys: keys, items: items)
        let item = try write(row, level: level, links: links, keys: keys, items: items)
        written.append(items.count - 1, of: keys, item)
        onlyChild = level > 0 && items.count == 1 ? items[0] : nil
        chunk.removeAll()
        origins.removeAll(keepingCapacity: true)
    }

    private mutating func noteOrigin(_ node: MapNode, _ id: Int64) {
        if let last = origins.last, last.id == id {
            origins[origins.count - 1].count += 1
        } else {
            origins.append((node, id, 1))
        }
    }

    /// The row of a new node: the difference from the old node it has most entries of, or all of it.
    private func row(level: UInt8, keys: MapKeys, items: [MapItem]) -> (row: [UInt8], links: Int) {
        if let origin = origins.max(by: { $0.count < $1.count }), origin.node.links < MapNodeRow.maximumLinks,
            origin.count * 4 >= items.count * 3 || origin.count + 1 >= items.count,
            let row = MapNodeDelta.row(
                base: origin.id, of: origin.node, links: origin.node.links + 1, keys: keys, items: items)
        {
            return (row, origin.node.links + 1)
        }
        return (MapNodeRow.whole(level: level, keys: keys, items: items), 0)
    }

    /// Writes the node that has the keys of `node`, in row `id`, and other items at `changed`.
    private mutating func write(
        _ items: [MapItem], at changed: [Int], of node: MapNode, _ id: Int64
    ) throws -> MapItem {
        let isSmall = changed.count == 1 || changed.count * 4 <= items.count
        let links = isSmall && node.links < MapNodeRow.maximumLinks ? node.links + 1 : 0
        let row =
            links > 0
            ? MapNodeDelta.row(base: id, links: links, changed: changed, items: items)
            : MapNodeRow.whole(level: node.level, keys: node.keys, items: items)
        return try write(row, level: node.level, links: links, keys: node.keys, items: items)
    }

    private mutating func write(
        _ row: [UInt8], level: UInt8, links: Int, keys: MapKeys, items: [MapItem]
    ) throws -> MapItem {
        guard let total = MapNode.total(level: level, items: items) else {
            throw MapNodeReader.damaged(oldID, "leads to a child of an impossible size")
        }
        let digest = MapNode.digest(level: level, keys: keys, items: items)
        guard lastRow < .max - 1 else { throw StoreError.rowIDsUsedUp(in: source.nodes) }
        lastRow += 1
        let id = lastRow
        pending.append((id, row[...]))
        if pending.count == Self.mostPending { try flush() }
        source.staged?.insert(MapNode(level: level, links: links, keys: keys, items: items, total: total), id: id)
        return MapItem(node: id, digest: digest, total: total)
    }

    private mutating func flush() throws {
        if pending.isEmpty { return }
        try writer.setRows(pending, in: source.nodes)
        pending.removeAll(keepingCapacity: true)
    }

    /// The node below `item`, which is the one node of its level, that is the root: of the lowest level with one node.
    private mutating func withoutOnlyChildren(_ item: MapItem) throws -> MapItem {
        guard var item = onlyChild else { return item }
        // What was written is read.
        try flush()
        while true {
            let node = try source.node(item.node)
            guard node.level > 0, node.count == 1 else { return item }
            item = node.items[0]
        }
    }
}
