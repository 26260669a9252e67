extension StoreZones {
    /// The log of firm versions, parents first: number → ``LogEntry``.
    static let firm = RowZone("firm")
    /// Rows of firm versions without firm children, where they are too many for the log.
    static let tips = KeyedZone("tips")
    /// What ``tips`` was called when it had all heads; a SQLite store has none.
    static let heads = KeyedZone("heads")
}

/// An entry of the log of firm versions: i64 row and, if the heads are in the log, u8 1 and i64 rows of the heads beside it.
///
/// The heads are those of the last entry, so that a version is saved with its log in one place: an entry that is not the last
/// says what the heads were, or, where they were listed anew, nothing.
struct LogEntry: Equatable {
    let row: Int64
    /// The other heads; nil if the heads are in a zone of their own.
    let others: [Int64]?

    /// More are listed in a zone of their own.
    static let mostOthers = 15

    init(row: Int64, others: [Int64]?) {
        self.row = row
        self.others = others.flatMap { $0.count <= Self.mostOthers ? $0.sorted() : nil }
    }

    init(decoding bytes: [UInt8], number: Int64) throws {
        var reader = ByteReader(bytes, of: "number \(number) of the log of versions")
        row = try reader.i64()
        guard reader.remaining > 0 else {
            others = nil
            return
        }
        guard try reader.u8() == 1, reader.remaining % 8 == 0, reader.remaining / 8 <= Self.mostOthers else {
            throw StoreError.damagedRecord("number \(number) of the log of versions")
        }
        var rows: [Int64] = []
        while reader.remaining > 0 { rows.append(try reader.i64()) }
        others = rows
    }

    var encoded: [UInt8] {
        var out = ByteWriter(reserving: 9)
        out.i64(row)
        guard let others else { return out.bytes }
        out.u8(1)
        for other in others { out.i64(other) }
        return out.bytes
    }
}

/// The heads, and where they are listed.
struct HeadList {
    enum Place {
        case log
        case zone(KeyedZone)
    }

    var rows: Set<Int64>
    let place: Place
}

extension StoreSnapshot {
    /// The heads' rows as they are listed.
    func headList() throws -> HeadList {
        let last = try reader.lastRow(in: StoreZones.firm)
        if last > 0, let bytes = try reader.row(last, in: StoreZones.firm) {
            let entry = try LogEntry(decoding: bytes, number: last)
            if let others = entry.others { return HeadList(rows: Set(others + [entry.row]), place: .log) }
        }
        let tips = try rows(in: StoreZones.tips)
        if !tips.isEmpty { return HeadList(rows: tips, place: .zone(StoreZones.tips)) }
        return HeadList(rows: try rows(in: StoreZones.heads), place: .zone(StoreZones.heads))
    }

    private func rows(in zone: KeyedZone) throws -> Set<Int64> {
        var rows: Set<Int64> = []
        try reader.scan(zone, from: [], before: nil) { key, _ in
            rows.insert(try StoreZones.row(fromKey: key))
            return true
        }
        return rows
    }
}

extension StoreTransaction {
    /// Adds a version to the log, whose parents are in it, and to the heads.
    func appendToLog(_ version: StoredVersion) throws {
        let old = try snapshot.headList()
        let others = old.rows.subtracting(version.parents)
        let entry = LogEntry(row: version.row, others: Array(others))
        _ = try writer.append(entry.encoded, to: StoreZones.firm)
        try list(others.union([version.row]), inLog: entry.others != nil, insteadOf: old)
    }

    /// Lists the heads anew: in the last entry of the log, if it is of one of them and they are few.
    func setHeads(_ heads: Set<Int64>) throws {
        let number = try writer.lastRow(in: StoreZones.firm)
        guard number > 0, let bytes = try writer.row(number, in: StoreZones.firm) else { return }
        let row = try LogEntry(decoding: bytes, number: number).row
        let entry = LogEntry(row: row, others: heads.contains(row) ? Array(heads.subtracting([row])) : nil)
        try writer.setRow(entry.encoded, at: number, in: StoreZones.firm)
        for zone in [StoreZones.tips, StoreZones.heads] {
            for key in try writer.keys(of: zone) { try writer.remove(key, in: zone) }
        }
        if entry.others == nil {
            for head in heads { try writer.put([], for: StoreZones.key(head), in: StoreZones.tips) }
        }
    }

    private func list(_ heads: Set<Int64>, inLog: Bool, insteadOf old: HeadList) throws {
        var there: Set<Int64> = []
        if case .zone(let zone) = old.place {
            let gone = inLog || zone != StoreZones.tips ? old.rows : old.rows.subtracting(heads)
            for row in gone { try writer.remove(StoreZones.key(row), in: zone) }
            if zone == StoreZones.tips { there = old.rows }
        }
        if inLog { return }
        for row in heads.subtracting(there) { try writer.put([], for: StoreZones.key(row), in: StoreZones.tips) }
    }
}
