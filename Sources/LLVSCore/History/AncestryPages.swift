/// A walk from some versions towards the root, newest first, that can be left and gone on with in another transaction:
/// versions never change, nor do their rows.
struct AncestryQueue {
    private var waiting = GenerationQueue()
    /// Rows of what waits, and of the root, which is never visited.
    private var rows: Set<Int64> = [0]

    mutating func insert(_ version: StoredVersion) {
        if rows.insert(version.row).inserted { waiting.insert(version) }
    }

    /// The next version; its parents wait from now on.
    mutating func next(in snapshot: StoreSnapshot) throws -> StoredVersion? {
        guard let version = waiting.popGreatest() else { return nil }
        // A version has a greater generation than what comes after it, and cannot come again.
        rows.remove(version.row)
        for parent in version.parents where !rows.contains(parent) { insert(try snapshot.stored(parent)) }
        return version
    }
}

/// The versions that some descend from.
struct AncestryPages: HistoryPages {
    private static let pageSize = 128

    /// Nil once they wait.
    private var tips: [Version.ID]?
    private var queue = AncestryQueue()
    private(set) var isAtEnd = false

    init(from tips: [Version.ID]) { self.tips = tips }

    mutating func nextPage(of store: Store) throws -> [Version] {
        try store.read { snapshot in
            for tip in tips ?? [] { queue.insert(try snapshot.get(tip)) }
            tips = nil
            var page: [Version] = []
            while page.count < Self.pageSize {
                guard let version = try queue.next(in: snapshot) else {
                    isAtEnd = true
                    break
                }
                page.append(try version.version())
            }
            return page
        }
    }
}

/// The firm versions as the store's log has them.
struct LogPages: HistoryPages {
    private static let pageSize: Int64 = 128

    private let order: HistoryOrder
    /// The numbers that are left; nil before the first page.
    private var numbers: ClosedRange<Int64>?
    private(set) var isAtEnd = false

    init(_ order: HistoryOrder) { self.order = order }

    mutating func nextPage(of store: Store) throws -> [Version] {
        try store.read { snapshot in
            let last = try numbers?.upperBound ?? snapshot.reader.lastRow(in: StoreZones.firm)
            guard last > 0 else {
                isAtEnd = true
                return []
            }
            let all = numbers ?? 1...last
            let count = min(Self.pageSize, Int64(all.count))
            let taken: ClosedRange<Int64>
            switch order {
            case .oldestFirst: taken = all.lowerBound...(all.lowerBound + count - 1)
            case .newestFirst: taken = (all.upperBound - count + 1)...all.upperBound
            }
            isAtEnd = taken == all
            if !isAtEnd {
                numbers =
                    order == .oldestFirst
                    ? (taken.upperBound + 1)...all.upperBound : all.lowerBound...(taken.lowerBound - 1)
            }
            let page = try snapshot.logged(taken).map { try $0.version() }
            return order == .oldestFirst ? page : page.reversed()
        }
    }
}

extension StoreSnapshot {
    /// The versions of these numbers in the log of firm versions.
    func logged(_ numbers: ClosedRange<Int64>) throws -> [StoredVersion] {
        var found: [StoredVersion] = []
        try reader.scanRows(StoreZones.firm, from: numbers.lowerBound) { number, bytes in
            guard number <= numbers.upperBound else { return false }
            found.append(try stored(try LogEntry(decoding: bytes, number: number).row))
            return number < numbers.upperBound
        }
        guard found.count == numbers.count else { throw StoreError.damagedRecord("the log of versions") }
        return found
    }
}
