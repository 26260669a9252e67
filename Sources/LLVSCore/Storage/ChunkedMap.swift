/// An ordered map with value semantics, cut into short chunks: a copy is one array, and the first change after a copy
/// duplicates one chunk, so that a snapshot for each transaction is cheap.
struct ChunkedMap<Key: Comparable & Sendable, Value: Sendable>: Sendable {
    typealias Element = (key: Key, value: Value)

    private static var longest: Int { 128 }
    /// No chunk is empty; keys ascend within and across chunks.
    private var chunks: [[Element]] = []

    var lastKey: Key? { chunks.last?.last?.key }

    subscript(key: Key) -> Value? {
        guard let place = place(of: key), place.found else { return nil }
        return chunks[place.chunk][place.index].value
    }

    /// Sets the value of a key and returns the one it had.
    @discardableResult
    mutating func set(_ value: Value, for key: Key) -> Value? {
        guard let place = place(of: key) else {
            chunks = [[(key, value)]]
            return nil
        }
        guard !place.found else {
            let old = chunks[place.chunk][place.index].value
            chunks[place.chunk][place.index].value = value
            return old
        }
        chunks[place.chunk].insert((key, value), at: place.index)
        guard chunks[place.chunk].count > Self.longest else { return nil }
        // A key after all others opens a new chunk, so that appended rows fill their chunks.
        let appended = place.chunk == chunks.count - 1 && place.index == Self.longest
        let cut = appended ? Self.longest : Self.longest / 2
        let tail = Array(chunks[place.chunk][cut...])
        chunks[place.chunk].removeSubrange(cut...)
        chunks.insert(tail, at: place.chunk + 1)
        return nil
    }

    /// Removes a key and returns the value it had.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let place = place(of: key), place.found else { return nil }
        let old = chunks[place.chunk].remove(at: place.index).value
        if chunks[place.chunk].isEmpty { chunks.remove(at: place.chunk) }
        return old
    }

    /// Calls `body` from the first key that is not less than `start` on, until it returns false.
    func forEach(from start: Key, _ body: (Element) throws -> Bool) rethrows {
        guard let place = place(of: start) else { return }
        var index = place.index
        for chunk in chunks[place.chunk...] {
            while index < chunk.count {
                guard try body(chunk[index]) else { return }
                index += 1
            }
            index = 0
        }
    }

    /// Where the key is, or belongs; nil in an empty map.
    private func place(of key: Key) -> (chunk: Int, index: Int, found: Bool)? {
        guard !chunks.isEmpty else { return nil }
        // The last chunk that begins at or before the key, else the first.
        let chunk = max(0, Self.partition(chunks) { $0[0].key <= key } - 1)
        let index = Self.partition(chunks[chunk]) { $0.key < key }
        return (chunk, index, index < chunks[chunk].count && chunks[chunk][index].key == key)
    }

    /// The number of leading elements for which `isBefore` holds, by halving.
    private static func partition<Item>(_ items: [Item], _ isBefore: (Item) -> Bool) -> Int {
        var low = 0
        var high = items.count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(items[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
