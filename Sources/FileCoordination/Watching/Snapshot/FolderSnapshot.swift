#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The names in one folder and what was seen of each, in little memory: 24 bytes and the name.
///
/// Records lie in the order of the names' bytes, so that two snapshots are compared in one pass. In a large folder new ones go
/// to a small array of their own first, and names that went stay as dead records: a change costs O(log n) and a copy of the
/// records only every 128 insertions, or when a quarter is dead.
struct FolderSnapshot: Sendable {
    struct Record: Sendable {
        var inode: UInt64
        var digest: UInt64
        var offset: UInt32
        var length: UInt16
        var kind: FileKind
        var flags: UInt8

        static let fresh: UInt8 = 1
        static let dead: UInt8 = 2
        var isDead: Bool { flags & Self.dead != 0 }

        var fingerprint: Fingerprint {
            Fingerprint(inode: inode, digest: digest, kind: kind, isFresh: flags & Self.fresh != 0)
        }

        mutating func take(_ seen: Fingerprint) {
            (inode, digest, kind) = (seen.inode, seen.digest, seen.kind)
            flags = seen.isFresh ? Self.fresh : 0
        }
    }

    var names: [UInt8] = []
    /// Sorted by name; some may be dead.
    var records: [Record] = []
    /// Sorted by name, none dead, none also in `records`.
    var recent: [Record] = []
    private var deadCount = 0

    /// So many records are shifted for an insertion without much cost.
    static let smallCount = 256
    static let mostRecent = 128
    /// Lengths are 16 bits, offsets 32: no directory of today's systems comes near.
    static let longestName = Int(UInt16.max)
    static let mostNameBytes = Int(UInt32.max)

    init() {}

    /// From records that are sorted by name, each once.
    init(names: [UInt8], sorted records: [Record]) {
        self.names = names
        self.records = records
    }

    var count: Int { records.count + recent.count - deadCount }

    /// What was seen of the name. O(log n).
    subscript(name: UnsafeRawBufferPointer) -> Fingerprint? {
        names.withUnsafeBytes { bytes in
            let (index, isThere) = Self.place(of: name, in: records, bytes)
            if isThere, !records[index].isDead { return records[index].fingerprint }
            let (other, isRecent) = Self.place(of: name, in: recent, bytes)
            return isRecent ? recent[other].fingerprint : nil
        }
    }

    subscript(name: String) -> Fingerprint? {
        var name = name
        return name.withUTF8 { self[UnsafeRawBufferPointer($0)] }
    }

    /// Remembers what was seen, or with nil that nothing is there.
    mutating func set(_ name: UnsafeRawBufferPointer, _ seen: Fingerprint?) {
        let (index, isThere) = names.withUnsafeBytes { Self.place(of: name, in: records, $0) }
        let (other, isRecent) = names.withUnsafeBytes { Self.place(of: name, in: recent, $0) }
        guard let seen else {
            if isRecent { recent.remove(at: other) }
            if isThere, !records[index].isDead { bury(index) }
            return
        }
        if isRecent {
            recent[other].take(seen)
        } else if isThere {
            if records[index].isDead { deadCount -= 1 }
            records[index].take(seen)
        } else {
            insert(name, seen, at: index, other)
        }
    }

    mutating func set(_ name: String, _ seen: Fingerprint?) {
        var name = name
        name.withUTF8 { set(UnsafeRawBufferPointer($0), seen) }
    }

    private mutating func bury(_ index: Int) {
        records[index].flags |= Record.dead
        deadCount += 1
        if deadCount > 16, deadCount > records.count / 4 { tidy() }
    }

    private mutating func insert(_ name: UnsafeRawBufferPointer, _ seen: Fingerprint, at index: Int, _ other: Int) {
        guard name.count <= Self.longestName, names.count <= Self.mostNameBytes - name.count else { return }
        var record = Record(
            inode: 0, digest: 0, offset: UInt32(names.count), length: UInt16(name.count), kind: .other, flags: 0)
        record.take(seen)
        names.append(contentsOf: name)
        if records.count < Self.smallCount {
            records.insert(record, at: index)
        } else {
            recent.insert(record, at: other)
            if recent.count > Self.mostRecent { tidy() }
        }
    }

    /// The place of the name, or where it would be.
    private static func place(
        of name: UnsafeRawBufferPointer, in records: [Record], _ bytes: UnsafeRawBufferPointer
    ) -> (Int, Bool) {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            let order = compareNames(records[middle].name(in: bytes), name)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }
}

extension FolderSnapshot.Record {
    func name(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset) + Int(length)])
    }
}

/// Negative, zero or positive, by bytes; a name comes after its beginnings.
func compareNames(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    if let first = one.baseAddress, let second = other.baseAddress {
        let order = memcmp(first, second, min(one.count, other.count))
        if order != 0 { return Int(order) }
    }
    return one.count - other.count
}
