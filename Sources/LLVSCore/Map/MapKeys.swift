/// A list of keys, end to end in one buffer, so that many keys are two allocations.
struct MapKeys: Equatable, Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init() {}

    /// Reads the keys of a whole node; nil unless they are as many, and ascend.
    init?(_ count: Int, from cursor: inout MapRowCursor) {
        guard let total = cursor.byteCount(ofKeys: count) else { return nil }
        var isAscending = true
        ends.reserveCapacity(count)
        bytes = [UInt8](unsafeUninitializedCapacity: total) { buffer, size in
            let all = UnsafeMutableRawBufferPointer(buffer)
            var start = 0
            for _ in 0..<count {
                // As it was when the lengths were added up.
                guard let (shared, rest) = cursor.keyLengths(after: size - start), let suffix = cursor.slice(rest)
                else {
                    isAscending = false
                    return
                }
                if start + shared < size, all[start + shared] >= suffix[0] { isAscending = false }
                all.baseAddress.map { ($0 + size).copyMemory(from: $0 + start, byteCount: shared) }
                UnsafeMutableRawBufferPointer(rebasing: all[(size + shared)...]).copyMemory(from: suffix)
                start = size
                size += shared + rest
                ends.append(size)
            }
        }
        if !isAscending { return nil }
    }

    var count: Int { ends.count }
    var isEmpty: Bool { ends.isEmpty }
    /// The length of all keys together.
    var byteCount: Int { bytes.count }

    /// The key at `index`, sharing the buffer.
    subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(of: index)] }

    /// The last key; empty if there is none.
    var last: ArraySlice<UInt8> { isEmpty ? [] : self[count - 1] }

    /// Calls `body` with the key at `index`, which is valid until it returns.
    func withKey<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let range = range(of: index)
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The first index whose key is not below `key`, and whether it is `key` itself; the keys must be ascending.
    func search(_ key: UnsafeRawBufferPointer) -> (index: Int, found: Bool) {
        bytes.withUnsafeBytes { all in
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                let order = Self.order(UnsafeRawBufferPointer(rebasing: all[range(of: middle)]), key)
                if order == 0 { return (middle, true) }
                if order < 0 { low = middle + 1 } else { high = middle }
            }
            return (low, false)
        }
    }

    /// Below 0, 0 or above 0, as the key at `index` comes before, is, or comes after the one at `otherIndex` of `other`.
    func order(_ index: Int, _ other: MapKeys, _ otherIndex: Int) -> Int {
        withKey(index) { mine in other.withKey(otherIndex) { Self.order(mine, $0) } }
    }

    /// Whether both lists end with the same key, or none.
    func endsLike(_ other: MapKeys, at index: Int) -> Bool {
        !isEmpty && order(count - 1, other, index) == 0
    }

    mutating func append(_ key: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: key)
        ends.append(bytes.count)
    }

    mutating func append(_ key: [UInt8]) {
        key.withUnsafeBytes { append($0) }
    }

    mutating func append(_ index: Int, of other: MapKeys) {
        other.withKey(index) { append($0) }
    }

    mutating func reserveCapacity(_ count: Int, byteCount: Int) {
        ends.reserveCapacity(count)
        bytes.reserveCapacity(byteCount)
    }

    /// Removes all keys and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// How many bytes the keys at `index` and before it begin with in common.
    func sharedPrefixCount(withPreviousOf index: Int) -> Int {
        index > 0 ? sharedPrefixCount(of: index, self, index - 1) : 0
    }

    /// How many bytes the key at `index` and the one at `otherIndex` of `other` begin with in common.
    func sharedPrefixCount(of index: Int, _ other: MapKeys, _ otherIndex: Int) -> Int {
        withKey(index) { mine in
            other.withKey(otherIndex) { theirs in
                var shared = 0
                while shared < mine.count, shared < theirs.count, mine[shared] == theirs[shared] { shared += 1 }
                return shared
            }
        }
    }

    /// Whether each key comes after the one before.
    var areAscending: Bool {
        (0..<max(0, count - 1)).allSatisfy { order($0, self, $0 + 1) < 0 }
    }

    /// Below 0, 0 or above 0, as `left` comes before, is, or comes after `right`, byte by byte; a prefix comes first.
    static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let shared = min(left.count, right.count)
        var offset = 0
        while offset + 8 <= shared {
            let mine = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let theirs = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            if mine != theirs { return mine < theirs ? -1 : 1 }
            offset += 8
        }
        while offset < shared {
            if left[offset] != right[offset] { return left[offset] < right[offset] ? -1 : 1 }
            offset += 1
        }
        return left.count - right.count
    }

    private func range(of index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }
}

extension MapKeys {
    /// Whether each key is valid UTF-8.
    var areUTF8: Bool {
        bytes.allASCII || (0..<count).allSatisfy { [UInt8](self[$0]).isValidUTF8 }
    }
}
