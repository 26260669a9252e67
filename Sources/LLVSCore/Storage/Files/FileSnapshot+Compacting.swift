import FileCoordination

extension FileSnapshot {
    /// A new log with what counts and nothing else, on the disk under the log's name. Call only in the writer lock.
    ///
    /// The new one is flushed before it takes the name. A value that does not verify ends it: the old log stays, and with it
    /// whatever can be read.
    func compacted(in places: FilePlaces) throws -> FileSnapshot {
        let files = places.files
        let new = try FileLog(making: places.newLog, files: files)
        let copy = FileWriteTransaction(FileSnapshot(log: new))
        defer { copy.end() }
        for (zone, keys) in zones.keyed {
            try keys.forEach(from: OrderedBytes(bytes: [])) { key, extent in
                try copy.put(try log.value(extent), for: key.bytes, in: zone)
                return true
            }
        }
        for (zone, rows) in zones.rows {
            try rows.forEach(from: 0) { id, extent in
                try copy.setRow(try log.value(extent), at: id, in: zone)
                return true
            }
        }
        let compacted = try copy.commit()
        try new.sync()
        try storing("the compacted log cannot take its place", places.log) { () throws(Errno) in
            try files.rename(places.newLog, to: places.log)
        }
        return compacted
    }
}
