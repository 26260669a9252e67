import FileCoordination

/// One look at everything in the directory of a ``FileStorage``.
struct FileStorageCheck {
    private let places: FilePlaces
    private var findings: [String] = []
    private static let mostFindings = 100

    init(_ places: FilePlaces) {
        self.places = places
    }

    private mutating func checkLog() throws {
        let mark = try FileMark(at: places.mark, files: places.files)
        if mark == nil {
            findings.append("the file \(places.mark), which says what was flushed, is missing or damaged")
        }
        do {
            var snapshot = FileSnapshot(log: try FileLog(opening: places.log, writable: false, files: places.files))
            try snapshot.advance(to: try snapshot.log.size(), flushed: .max)
            try checkValues(snapshot)
            if let mark, mark.id == snapshot.log.id { try snapshot.checkHolds(mark.length) }
        } catch let error as StoreError where error.code == .damaged {
            findings.append(error.description)
        }
    }

    private mutating func checkValues(_ snapshot: FileSnapshot) throws {
        for (zone, keys) in snapshot.zones.keyed {
            try keys.forEach(from: OrderedBytes(bytes: [])) { key, extent in
                try check(extent, in: snapshot.log, "key \(key.bytes) of \(zone.name)")
            }
        }
        for (zone, rows) in snapshot.zones.rows {
            try rows.forEach(from: 0) { try check($0.value, in: snapshot.log, "row \($0.key) of \(zone.name)") }
        }
    }

    /// False when there is more to say than anybody reads.
    private mutating func check(_ extent: FileExtent, in log: FileLog, _ what: String) throws -> Bool {
        do { _ = try log.value(extent) } catch let error as StoreError where error.code == .damaged {
            findings.append("\(what): \(error)")
        }
        return findings.count < Self.mostFindings
    }

    private mutating func checkNames() throws {
        let entries = try storing("the store's folder cannot be listed", places.directory) { () throws(Errno) in
            try places.files.list(places.directory)
        }
        let known = Set(FilePlaces.names + [StorageCreation.lockName])
        for entry in entries.sorted(by: { $0.nameBytes.precedes($1.nameBytes) }) {
            let name = entry.name ?? String(decoding: entry.nameBytes, as: UTF8.self)
            if known.contains(name) || TemporaryNames.isTemporary(name) { continue }
            findings.append("the file \(places.directory)/\(name) does not belong to the store")
        }
    }

    func run() throws -> [String] {
        var check = self
        try check.checkLog()
        try check.checkNames()
        return check.findings
    }
}
