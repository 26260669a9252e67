/// The history's index and the list of branches follow from the versions too. A store that was written before there were such
/// need not have them.
extension StoreCheck {
    mutating func checkHistoryIndex() throws {
        var keys = 0
        let full = try snapshot.reader.lastRow(in: StoreZones.versions) / HistoryIndex.segmentSize
        let last = try snapshot.reader.lastRow(in: StoreZones.segments)
        if last > full { findings.append("the history's index has a segment \(last) of versions that are not there") }
        for number in 0..<min(last, full) {
            let number = number + 1
            try noting { check in
                let (segment, expected) = try check.snapshot.makeSegment(number)
                keys += expected.count
                let isThere = try expected.allSatisfy { try check.has($0, in: StoreZones.changed) }
                let stored = try check.snapshot.segment(number)
                // It may be of a version that was cleaned away.
                let isBound = stored.greatestGeneration >= segment.greatestGeneration
                if !isThere || !isBound || stored.broad != segment.broad {
                    check.findings.append("segment \(number) of the history's index lacks changes")
                }
            }
        }
        // Two ids of a version may have one key.
        if try count(StoreZones.changed) > keys {
            findings.append("the history's index has changes that no version has")
        }
        let isListed = try snapshot.reader.value(StoreZones.branchesListed, in: StoreZones.settings) != nil
        if isListed { try checkBranches() }
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
