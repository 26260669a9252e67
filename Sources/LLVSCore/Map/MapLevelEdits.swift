/// What is to change among the entries of one level: keys ascending, each with its new item, or nil to remove it.
struct MapLevelEdits {
    private(set) var keys = MapKeys()
    private(set) var items: [MapItem?] = []

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }

    init() {}

    /// The edits of leaves.
    init(_ edits: [(Value.ID, MapEdit)]) {
        items.reserveCapacity(edits.count)
        keys.reserveCapacity(edits.count, byteCount: edits.reduce(0) { $0 + $1.0.utf8.count })
        for (id, edit) in edits {
            keys.append(id.utf8)
            switch edit {
            case .put(let reference): items.append(MapItem(reference))
            case .remove: items.append(nil)
            }
            let index = items.count - 1
            precondition(
                index == 0 || keys.order(index - 1, keys, index) < 0,
                "Edits must be ascending by id without duplicates, got '\(id)' out of place.")
        }
    }

    /// Adds, for the level above, that the nodes that ended with the keys of `old` gave way to `new`. Both come after
    /// everything added before.
    mutating func replace(_ old: MapKeys, with new: MapChunk) {
        var (next, index) = (0, 0)
        while next < old.count || index < new.count {
            let order =
                next == old.count ? 1 : index == new.count ? -1 : old.order(next, new.keys, index)
            if order < 0 {
                keys.append(next, of: old)
                items.append(nil)
            } else {
                keys.append(index, of: new.keys)
                items.append(new.items[index])
                index += 1
            }
            if order <= 0 { next += 1 }
        }
    }
}

/// Entries on their way into nodes.
struct MapChunk {
    private(set) var keys = MapKeys()
    private(set) var items: [MapItem] = []

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }

    mutating func append(_ index: Int, of keys: MapKeys, _ item: MapItem) {
        self.keys.append(index, of: keys)
        items.append(item)
    }

    /// Adds an entry under a key of foreign bytes; false if no id has such.
    mutating func append(_ key: ArraySlice<UInt8>, _ item: MapItem) -> Bool {
        let key = [UInt8](key)
        guard (1...Value.ID.maximumByteCount).contains(key.count), key.isValidUTF8 else { return false }
        keys.append(key)
        items.append(item)
        return true
    }

    mutating func reserveCapacity(_ count: Int, byteCount: Int) {
        keys.reserveCapacity(count, byteCount: byteCount)
        items.reserveCapacity(count)
    }

    /// Removes all entries and keeps the memory.
    mutating func removeAll() {
        keys.removeAll()
        items.removeAll(keepingCapacity: true)
    }
}
