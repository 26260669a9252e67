extension FolderSnapshot {
    /// Puts everything in order and drops what is dead. O(n).
    mutating func tidy() {
        guard !isTidy else { return }
        var listing = FolderListing()
        visit { name, seen in listing.append(name, seen) }
        self = listing.finish()
    }

    private var isTidy: Bool { recent.isEmpty && count == records.count }

    /// Every name and what was seen of it, in the order of the names' bytes.
    func visit(_ body: (UnsafeRawBufferPointer, Fingerprint) -> Void) {
        names.withUnsafeBytes { bytes in
            var (index, other) = (0, 0)
            while index < records.count || other < recent.count {
                let takesRecent =
                    index == records.count
                    || other < recent.count
                        && compareNames(recent[other].name(in: bytes), records[index].name(in: bytes)) < 0
                let record = takesRecent ? recent[other] : records[index]
                if takesRecent { other += 1 } else { index += 1 }
                if !record.isDead { body(record.name(in: bytes), record.fingerprint) }
            }
        }
    }

    /// Goes through two snapshots at once, in the order of the names: each name with what was seen then and later.
    static func merge(
        _ before: FolderSnapshot, _ after: FolderSnapshot,
        _ body: (UnsafeRawBufferPointer, Fingerprint?, Fingerprint?) -> Void
    ) {
        var (before, after) = (before, after)
        before.tidy()
        after.tidy()
        before.names.withUnsafeBytes { oldBytes in
            after.names.withUnsafeBytes { newBytes in
                var (index, other) = (0, 0)
                while index < before.records.count || other < after.records.count {
                    let old = index < before.records.count ? before.records[index] : nil
                    let new = other < after.records.count ? after.records[other] : nil
                    let (oldName, newName) = (old?.name(in: oldBytes), new?.name(in: newBytes))
                    let order: Int
                    switch (oldName, newName) {
                    case (let one?, let two?): order = compareNames(one, two)
                    case (_?, nil): order = -1
                    default: order = 1
                    }
                    if order <= 0 { index += 1 }
                    if order >= 0 { other += 1 }
                    guard let name = order <= 0 ? oldName : newName else { continue }
                    body(name, order <= 0 ? old?.fingerprint : nil, order >= 0 ? new?.fingerprint : nil)
                }
            }
        }
    }
}

/// Gathers the names of one folder in any order, then becomes a snapshot.
struct FolderListing {
    private var names: [UInt8] = []
    private var records: [FolderSnapshot.Record] = []

    /// False if there is no room for it.
    @discardableResult
    mutating func append(_ name: UnsafeRawBufferPointer, _ seen: Fingerprint) -> Bool {
        guard name.count <= FolderSnapshot.longestName, names.count <= FolderSnapshot.mostNameBytes - name.count else {
            return false
        }
        records.append(
            FolderSnapshot.Record(
                inode: seen.inode, digest: seen.digest, offset: UInt32(names.count), length: UInt16(name.count),
                kind: seen.kind, flags: seen.isFresh ? FolderSnapshot.Record.fresh : 0))
        names.append(contentsOf: name)
        return true
    }

    /// The snapshot, in arrays without slack. The listing is empty afterwards, and keeps its room for the next folder.
    mutating func finish() -> FolderSnapshot {
        names.withUnsafeBytes { bytes in
            guard !Self.isSorted(records, bytes) else { return }
            records.sort { compareNames($0.name(in: bytes), $1.name(in: bytes)) < 0 }
            dropRepeated(bytes)
        }
        defer { clear() }
        return FolderSnapshot(names: names.exactCopy(), sorted: records.exactCopy())
    }

    private mutating func clear() {
        names.removeAll(keepingCapacity: names.count <= 1 << 16)
        records.removeAll(keepingCapacity: records.count <= 1 << 12)
    }

    /// A directory that is changed while it is read may show a name twice.
    private mutating func dropRepeated(_ bytes: UnsafeRawBufferPointer) {
        var kept = 0
        for index in records.indices {
            let isRepeated =
                kept > 0 && compareNames(records[kept - 1].name(in: bytes), records[index].name(in: bytes)) == 0
            if isRepeated { kept -= 1 }
            records[kept] = records[index]
            kept += 1
        }
        records.removeLast(records.count - kept)
    }

    private static func isSorted(_ records: [FolderSnapshot.Record], _ bytes: UnsafeRawBufferPointer) -> Bool {
        for index in records.indices.dropFirst()
        where compareNames(records[index - 1].name(in: bytes), records[index].name(in: bytes)) >= 0 {
            return false
        }
        return true
    }
}

extension Array {
    /// Without spare capacity.
    fileprivate func exactCopy() -> [Element] {
        // All empty arrays share one storage, and the initializer below writes its count, from many threads.
        if isEmpty { return [] }
        return withUnsafeBufferPointer { source in
            [Element](unsafeUninitializedCapacity: source.count) { target, count in
                count = target.initialize(fromContentsOf: source)
            }
        }
    }
}
