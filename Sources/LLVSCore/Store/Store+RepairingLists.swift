extension Store {
    /// Makes the lists again that follow from the versions, where they are not what they must be: the index of ids, the log and
    /// the heads of the history, the provisional versions, the current versions, and the history's index. One transaction;
    /// nothing is written to a sound store.
    ///
    /// No version, change list or value is touched. What the lists alone knew is taken for the safe thing: a version of which
    /// nothing says whether it counts belongs to the history if it was authored; a current version that cannot be read becomes
    /// the last head, and the next merge takes in what is beside it. Costs reading every version twice, and memory for a
    /// number each. Other processes that have the store open should open it again. Before ``rebuildMaps(progress:)``, which
    /// needs the lists.
    ///
    /// - Parameter now: the wall clock, milliseconds since 1970: since when a version has the state it is given.
    /// - Returns: what was mended, a sentence each.
    @discardableResult
    public func rebuildLists(now: Int64 = Store.wallClock()) throws -> [String] {
        let mended = try storage.write { writer in
            // Caches of its own: those of the store would hide what is on the disk now.
            var repair = ListRepair(
                StoreTransaction(writer, StoreCaches(), stage: TransactionStage(), now: now), of: storage)
            return try repair.run()
        }
        if !mended.isEmpty { caches.removeAll() }
        return mended
    }
}

/// Goes through the log, the versions and then each list.
private struct ListRepair {
    private let transaction: StoreTransaction
    private let storage: any Storage
    private var mended: [String] = []
    /// Rows in the log of versions, and its numbers that lead nowhere.
    private var logged: Set<Int64> = []
    private var gaps: [Int64] = []
    private var wasLoose: Set<Int64> = []
    /// Rows of versions that decode.
    private var rows: Set<Int64> = []
    /// Those that no log has: their parents, and whether they count.
    private var unlogged: [Int64: (parents: [Int64], counts: Bool)] = [:]
    /// Those on which a version of the log stands.
    private var supports: Set<Int64> = []
    private var heads: Set<Int64> = []

    private var writer: any StorageWriter { transaction.writer }
    private var snapshot: StoreSnapshot { transaction.snapshot }

    init(_ transaction: StoreTransaction, of storage: any Storage) {
        self.transaction = transaction
        self.storage = storage
    }

    mutating func run() throws -> [String] {
        try readLog()
        wasLoose = try Set(
            writer.keys(of: StoreZones.loose).compactMap { key in try decoded { try StoreZones.row(fromKey: key) } })
        try readVersions()
        settleUnlogged()
        try mendIndex()
        try mendLog()
        try mendHeads()
        try mend(
            StoreZones.loose, "the list of provisional versions",
            to: Set(unlogged.filter { !$0.value.counts }.keys))
        try mendCurrent()
        try mendHistoryIndex()
        return mended
    }

    private mutating func readLog() throws {
        var next: Int64 = 1
        try writer.scanRows(StoreZones.firm, from: 1) { number, bytes in
            gaps += next..<number
            next = number + 1
            let row = try decoded { try LogEntry(decoding: bytes, number: number).row } ?? 0
            let isThere = try row > 0 && writer.row(row, in: StoreZones.versions) != nil
            if !isThere || !logged.insert(row).inserted { gaps.append(number) }
            return true
        }
    }

    /// Notes every version that decodes, parents first, and which of the logged ones are heads.
    private mutating func readVersions() throws {
        try writer.scanRows(StoreZones.versions, from: 1) { row, bytes in
            guard let version = try decoded({ try StoredVersion(decoding: bytes, row: row) }) else { return true }
            rows.insert(row)
            if logged.contains(row) {
                heads.subtract(version.parents)
                heads.insert(row)
                supports.formUnion(version.parents.filter { !logged.contains($0) })
            } else {
                let entry = try decoded { try snapshot.entry(version.id) }.flatMap { $0 }
                let state = entry?.row == row ? entry?.state : wasLoose.contains(row) ? .provisional : nil
                unlogged[row] = (version.parents, state.map { $0 == .firm } ?? version.isAuthored)
            }
            return true
        }
    }

    /// What stands on a version makes it count too: parents have smaller rows.
    private mutating func settleUnlogged() {
        var parents = supports
        for row in unlogged.keys.sorted(by: >) {
            guard let (above, counts) = unlogged[row], counts || parents.contains(row) else { continue }
            unlogged[row] = (above, true)
            parents.formUnion(above)
        }
        for row in unlogged.keys.sorted() where unlogged[row]?.counts == true {
            heads.subtract(unlogged[row]?.parents ?? [])
            heads.insert(row)
        }
        heads.subtract(parents)
    }

    private func state(of row: Int64) -> VersionState {
        unlogged[row]?.counts == false ? .provisional : .firm
    }
}

extension ListRepair {
    private mutating func mendIndex() throws {
        try writer.scanRows(StoreZones.versions, from: 1) { row, _ in
            guard let version = try version(at: row) else { return true }
            let entry = try decoded { try snapshot.entry(version.id) }.flatMap { $0 }
            let isDropped = entry?.state == .dropped && state(of: row) == .provisional
            if let entry, entry.row == row, isDropped || entry.state == state(of: row) { return true }
            try transaction.setState(state(of: row), of: version)
            mended.append("version \(version.id) is in the index again")
            return true
        }
        for key in try writer.keys(of: StoreZones.index) where try leadsNowhere(key) {
            try writer.remove(key, in: StoreZones.index)
            mended.append("an entry of the index that led to no version is gone")
        }
    }

    /// An entry whose version is there and damaged stays: it is known of.
    private func leadsNowhere(_ key: [UInt8]) throws -> Bool {
        guard let id = try decoded({ try Version.ID(utf8: key) }) else { return true }
        guard let entry = try decoded({ try snapshot.entry(id) }).flatMap({ $0 }) else { return false }
        if rows.contains(entry.row) { return try version(at: entry.row)?.id != id }
        return try entry.row < 1 || writer.row(entry.row, in: StoreZones.versions) == nil
    }

    /// Numbers are remembered by others, so none is given to another version; the missing take the places of the damaged.
    private mutating func mendLog() throws {
        var free = gaps.makeIterator()
        for row in unlogged.keys.sorted() where state(of: row) == .firm {
            let bytes = LogEntry(row: row, others: nil).encoded
            if let number = free.next() {
                try writer.setRow(bytes, at: number, in: StoreZones.firm)
            } else {
                _ = try writer.append(bytes, to: StoreZones.firm)
            }
            let name = try version(at: row)?.id.description ?? "\(row)"
            mended.append("version \(name) is in the log of versions again")
        }
    }

    private mutating func mendHeads() throws {
        let last = try writer.lastRow(in: StoreZones.firm)
        for number in try misstatedHeads() where number != last {
            guard let bytes = try writer.row(number, in: StoreZones.firm) else { continue }
            let row = try LogEntry(decoding: bytes, number: number).row
            try writer.setRow(LogEntry(row: row, others: nil).encoded, at: number, in: StoreZones.firm)
            mended.append("number \(number) of the log of versions states no heads any more")
        }
        if try decoded({ try snapshot.headList().rows }) == heads { return }
        guard try decoded({ try transaction.setHeads(heads) }) != nil else { return }
        mended.append("the list of heads was made again")
    }

    /// The numbers of the log that state other heads than the log has up to there.
    private func misstatedHeads() throws -> [Int64] {
        var found: [Int64] = []
        var heads: Set<Int64> = []
        try writer.scanRows(StoreZones.firm, from: 1) { number, bytes in
            guard let entry = try decoded({ try LogEntry(decoding: bytes, number: number) }) else { return true }
            heads.subtract(try version(at: entry.row)?.parents ?? [])
            heads.insert(entry.row)
            if let others = entry.others, heads != Set(others + [entry.row]) { found.append(number) }
            return true
        }
        return found
    }

    private mutating func mend(_ zone: KeyedZone, _ what: String, to expected: Set<Int64>) throws {
        let there = Set(try writer.keys(of: zone))
        let wanted = Set(expected.map(StoreZones.key))
        if there == wanted { return }
        for key in there.subtracting(wanted) { try writer.remove(key, in: zone) }
        for key in wanted.subtracting(there) { try writer.put([], for: key, in: zone) }
        mended.append("\(what) was made again")
    }

    private mutating func mendCurrent() throws {
        for key in try writer.keys(of: StoreZones.current) {
            let name = String(decoding: key, as: UTF8.self)
            if try decoded({ try snapshot.current(name) }) != nil { continue }
            guard let head = try snapshot.heads().last else {
                try writer.remove(key, in: StoreZones.current)
                continue
            }
            try transaction.setCurrent(head, of: name)
            mended.append("the current version of '\(name)' is now \(head.id)")
        }
    }

    private mutating func mendHistoryIndex() throws {
        var check = StoreCheck(snapshot: snapshot, storage: storage, level: .names)
        try check.checkVersions { _, _ in }
        check.findings = []
        try check.checkHistoryIndex()
        if check.findings.isEmpty { return }
        for zone in [StoreZones.changed, StoreZones.branches] {
            for key in try writer.keys(of: zone) { try writer.remove(key, in: zone) }
        }
        for number in 0..<(try writer.lastRow(in: StoreZones.segments)) {
            try writer.removeRow(number + 1, in: StoreZones.segments)
        }
        try writer.remove(StoreZones.branchesListed, in: StoreZones.settings)
        let last = try writer.lastRow(in: StoreZones.versions)
        try transaction.indexChanges(through: last - last % HistoryIndex.segmentSize)
        try transaction.prepareBranches()
        mended.append("the history's index was made again")
    }
}

extension ListRepair {
    /// Not remembered: there may be a million.
    private func version(at row: Int64) throws -> StoredVersion? {
        guard let bytes = try writer.row(row, in: StoreZones.versions) else { return nil }
        return try decoded { try StoredVersion(decoding: bytes, row: row) }
    }

    /// Nil for what is damaged or not there; that the storage cannot be read is thrown.
    private func decoded<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as StoreError
            where [.damaged, .invalidVersion, .noSuchVersion, .invalidVersionID].contains(error.code)
        {
            return nil
        }
    }
}
