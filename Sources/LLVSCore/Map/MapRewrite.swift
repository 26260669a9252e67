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
    /// What was written in place of the nodes since the walk last fell out of step, as entries of the level above.
    private var written = MapChunk()
    private var scratch: [UInt8] = []

    init(of root: MapRoot, _ source: MapNodeReader, _ writer: any StorageWriter) throws {
        self.source = source
        self.writer = writer
        oldRoot = try source.root(root)
        oldID = root.node
    }

    /// The root after `edits`; nil if they change nothing.
    mutating func apply(_ edits: MapLevelEdits) throws -> MapRoot? {
        var edits = edits
        var level: UInt8 = 0
        let oldLevel = oldRoot?.level ?? 0
        while true {
            edits = try rewrite(level, edits)
            if edits.isEmpty { return nil }
            // The old root has been replaced, so what is put are all nodes of this level.
            if level >= oldLevel {
                let nodes = edits.items.compactMap(\.self)
                guard let only = nodes.first else { return .empty }
                if nodes.count == 1 { return try withoutSingleChildren(only) }
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
                let known: Bool? = !inStep ? nil : index < node.count - 1 ? false : isLast ? nil : true
                try cutIfDue(node.level, known: known)
            } else {
                if (order == 0) != (edits.items[next] != nil) { inStep = inStep && order != 0 && edits.items[next] == nil }
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
