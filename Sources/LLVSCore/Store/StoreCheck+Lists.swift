/// The lists that say which versions there are and which count. They follow from the versions and their states.
extension StoreCheck {
    mutating func checkLists() throws {
        try checkIndex()
        try checkHistory()
        try checkLoose()
        try checkCurrent()
        try checkHistoryIndex()
    }

    /// Calls `body` with each entry of a zone, and notes what does not decode.
    private mutating func forEach(
        in zone: KeyedZone, _ body: (inout StoreCheck, [UInt8], [UInt8]) throws -> Void
    ) throws {
        try snapshot.reader.scan(zone, from: [], before: nil) { key, value in
            try noting { try body(&$0, key, value) }
            return true
        }
    }

    private mutating func checkIndex() throws {
        try forEach(in: StoreZones.index) { check, key, value in
            let id = try Version.ID(utf8: key)
            let entry = try VersionIndexEntry(decoding: value)
            if check.states[entry.row] == nil {
                check.findings.append("the index has version \(id), whose row \(entry.row) is missing or damaged")
            } else if try check.snapshot.stored(entry.row).id != id {
                check.findings.append("the index has version \(id) at the row of another")
            }
        }
    }

    /// The log of firm versions and the heads.
    private mutating func checkHistory() throws {
        var logged: Set<Int64> = [0]
        var heads: Set<Int64> = []
        var next: Int64 = 1
        // After the first entry that is wrong, the heads that later ones state need not be those that are left.
        var isSound = true
        try snapshot.reader.scanRows(StoreZones.firm, from: 1) { number, bytes in
            if number != next { findings.append("the log of versions has no number \(next)") }
            next = number + 1
            let before = findings.count
            try noting { check in
                let entry = try LogEntry(decoding: bytes, number: number)
                let row = entry.row
                guard check.states[row] == .firm else {
                    check.findings.append("number \(number) of the log of versions is no version of the history")
                    return
                }
                let version = try check.snapshot.stored(row)
                if !version.parents.allSatisfy(logged.contains) || !logged.insert(row).inserted {
                    check.findings.append("version \(version.id) is in the log before a parent, or twice")
                }
                for parent in version.parents { heads.remove(parent) }
                heads.insert(row)
                if isSound, let others = entry.others, heads != Set(others + [row]) {
                    check.findings.append("number \(number) of the log of versions states other heads than there were")
                }
            }
            isSound = isSound && findings.count == before
            return true
        }
        for (row, state) in states where state == .firm && !logged.contains(row) {
            try noting { $0.findings.append("version \(try $0.snapshot.stored(row).id) is not in the log of versions") }
        }
        try noting { check in
            if try check.snapshot.headList().rows != heads { check.findings.append("the list of heads is wrong") }
        }
    }

    private mutating func checkLoose() throws {
        var listed: Set<Int64> = []
        try forEach(in: StoreZones.loose) { _, key, _ in listed.insert(try StoreZones.row(fromKey: key)) }
        if listed != Set(states.filter { $0.value != .firm }.keys) {
            findings.append("the list of provisional versions is wrong")
        }
    }

    private mutating func checkCurrent() throws {
        try forEach(in: StoreZones.current) { check, key, value in
            let name = String(decoding: key, as: UTF8.self)
            let id = try Version.ID(utf8: value)
            if try id != .root && check.snapshot.entry(id) == nil {
                check.findings.append("the current version of '\(name)', \(id), is not in the store")
            }
        }
    }
}
