/// The history's index follows from the versions too. A store that was written before there was one need not have it.
extension StoreCheck {
    mutating func checkHistoryIndex() throws {
        guard try snapshot.reader.value(StoreZones.historyIndexed, in: StoreZones.settings) != nil else { return }
        var (changed, broad) = (0, 0)
        try snapshot.reader.scanRows(StoreZones.versions, from: 1) { row, bytes in
            guard states[row] != nil else { return true }
            try noting { check in
                let version = try StoredVersion(decoding: bytes, row: row)
                let keys = HistoryIndex.keys(try check.snapshot.changes(version), of: version)
                changed += keys.changed.count
                broad += keys.broad.count
                let isThere =
                    try keys.changed.allSatisfy { try check.has($0, in: StoreZones.changed) }
                    && keys.broad.allSatisfy { try check.has($0, in: StoreZones.broad) }
                if !isThere { check.findings.append("the history's index lacks changes of version \(version.id)") }
            }
            return true
        }
        for (zone, count) in [(StoreZones.changed, changed), (StoreZones.broad, broad)] {
            if try self.count(zone) > count { findings.append("the history's index has changes that no version has") }
        }
        try checkBranches()
    }

    /// Every listed head is a firm version on its branch, and every head of the store that is on a branch is listed.
    private mutating func checkBranches() throws {
        try snapshot.reader.scan(StoreZones.branches, from: [], before: nil) { key, _ in
            try noting { check in
                let row = try StoreZones.row(fromKey: Array(key.suffix(8)))
                guard check.states[row] == .firm, let branch = try check.snapshot.stored(row).branch,
                    HistoryIndex.prefix(of: branch) == Array(key.dropLast(8))
                else {
                    check.findings.append("the list of branches has what is no version on the branch")
                    return
                }
            }
            return true
        }
        try noting { check in
            for head in try check.snapshot.heads() {
                guard let branch = head.branch else { continue }
                let key = HistoryIndex.prefix(of: branch) + StoreZones.key(head.row)
                if try !check.has(key, in: StoreZones.branches) {
                    check.findings.append("the list of branches lacks the head \(head.id)")
                }
            }
        }
    }

    private func has(_ key: [UInt8], in zone: KeyedZone) throws -> Bool {
        try snapshot.reader.value(key, in: zone) != nil
    }

    private func count(_ zone: KeyedZone) throws -> Int {
        var count = 0
        try snapshot.reader.scan(zone, from: [], before: nil) { _, _ in
            count += 1
            return true
        }
        return count
    }
}
