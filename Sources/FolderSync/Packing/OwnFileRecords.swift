import LLVSCore

/// What the store remembers of the files it wrote: which are expected in the folder, and which were replaced and are to go.
struct OwnFileRecords {
    let zones: ExchangeZones

    typealias Own = (path: String, file: OwnFile)

    /// Every file that is expected to be there.
    func all(in reader: any StorageReader) throws -> [Own] { try files("", in: reader) }

    /// The files of entries that are expected to be there, ascending by their first number and descending by their last.
    func entries(in reader: any StorageReader) throws -> [(path: String, file: OwnFile, range: ClosedRange<UInt64>)] {
        try files("\(zones.lane)/e-", in: reader).compactMap { path, file in file.range.map { (path, file, $0) } }
            .sorted { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
    }

    /// The files of entries that were about to be written and are not noted as there.
    func begun(in reader: any StorageReader) throws -> [Own] { try files("", of: ExchangeZones.begun, in: reader) }

    private func files(
        _ prefix: String, of zone: KeyedZone = ExchangeZones.own, in reader: any StorageReader
    ) throws -> [Own] {
        var found: [Own] = []
        try zones.scan(zone, prefix: Array(prefix.utf8), in: reader) { key, bytes in
            found.append((String(decoding: key, as: UTF8.self), try OwnFile(decoding: bytes)))
            return true
        }
        return found
    }

    /// The files that were replaced and may still be there.
    func replaced(in reader: any StorageReader) throws -> [(path: String, file: ReplacedFile)] {
        var found: [(String, ReplacedFile)] = []
        try zones.scan(ExchangeZones.replaced, in: reader) { key, bytes in
            found.append((String(decoding: key, as: UTF8.self), try ReplacedFile(decoding: bytes)))
            return true
        }
        return found
    }

    /// Whether the file is one that this store wrote, as far as it remembers.
    func knows(_ path: String, in reader: any StorageReader) throws -> Bool {
        let key = zones.key(Array(path.utf8))
        return try reader.value(key, in: ExchangeZones.own) != nil
            || reader.value(key, in: ExchangeZones.replaced) != nil
    }

    /// Whether this store has begun to write the file, or has taken it away before: what is found under this name is its own.
    /// A copy of this store that does not know of itself yet writes the same entries in files of its own.
    func wrote(_ path: String, in reader: any StorageReader) throws -> Bool {
        let key = zones.key(Array(path.utf8))
        return try reader.value(key, in: ExchangeZones.begun) != nil || swept(path, in: reader)
    }

    /// Whether this store has taken the file away.
    func swept(_ path: String, in reader: any StorageReader) throws -> Bool {
        try reader.value(zones.key(Array(path.utf8)), in: ExchangeZones.swept) != nil
    }

    /// Notes that this store has taken a file of its own away, for good: a larger one stands in for it, or newer snapshots do.
    ///
    /// The name is remembered for as long as the lane is written. A device that was away for years may bring the file back, and
    /// nothing in its bytes tells it from one that a copy of this store wrote: that one is not this store's to take away.
    func noteSwept(_ path: String, in writer: any StorageWriter) throws {
        let key = zones.key(Array(path.utf8))
        try writer.put([], for: key, in: ExchangeZones.swept)
        // Should it come back, it is to be looked at.
        try writer.remove(key, in: ExchangeZones.taken)
    }

    /// The file is written again after all.
    func forgetSwept(_ path: String, in writer: any StorageWriter) throws {
        try writer.remove(zones.key(Array(path.utf8)), in: ExchangeZones.swept)
    }

    /// Whether files of snapshots were taken away.
    func hasSweptSnapshots(in reader: any StorageReader) throws -> Bool {
        var hasAny = false
        try zones.scan(ExchangeZones.swept, prefix: Array("\(zones.lane)/p-".utf8), in: reader) { _, _ in
            hasAny = true
            return false
        }
        return hasAny
    }

    /// Notes a file that is in the folder. Files of entries that it holds too are replaced by it; if another one holds more
    /// than all of its own, it is itself replaced: such files come back with a folder that is rolled back.
    func note(_ file: OwnFile, at path: String, now: Int64, in writer: any StorageWriter) throws {
        if let range = file.range {
            try writer.remove(zones.key(Array(path.utf8)), in: ExchangeZones.begun)
            let others = try entries(in: writer).filter { $0.path != path }
            if others.contains(where: { $0.range != range && $0.range.contains(range) }) {
                return try replace(path, range, file.confirmed, now: now, in: writer)
            }
            for other in others where range.contains(other.range) {
                try replace(other.path, other.range, other.file.confirmed, now: now, in: writer)
            }
            try writer.remove(zones.key(Array(path.utf8)), in: ExchangeZones.replaced)
        }
        try update(file, at: path, in: writer)
    }

    /// Notes how a file looks that is expected to be there, or that this is not known; nothing is replaced by it.
    func update(_ file: OwnFile, at path: String, in writer: any StorageWriter) throws {
        try writer.put(file.encoded, for: zones.key(Array(path.utf8)), in: ExchangeZones.own)
    }

    /// Notes a file that was taken away, because a larger one stands in for it, and has come back spoiled: it is to go again.
    ///
    /// - Returns: Whether the file is such a one.
    func recall(
        _ path: String, _ range: ClosedRange<UInt64>, now: Int64, in writer: any StorageWriter
    ) throws -> Bool {
        guard try swept(path, in: writer),
            try entries(in: writer).contains(where: { $0.range.contains(range) })
        else { return false }
        try replace(path, range, nil, now: now, in: writer)
        return true
    }

    private func replace(
        _ path: String, _ range: ClosedRange<UInt64>, _ sound: SharedFolder.Signature?, now: Int64,
        in writer: any StorageWriter
    ) throws {
        var time = try elapsed(in: writer) ?? ElapsedTime(startingAt: now)
        time.look(at: now)
        try put(time, in: writer)
        let key = zones.key(Array(path.utf8))
        try writer.remove(key, in: ExchangeZones.own)
        let replaced = ReplacedFile(range: range, since: time.total, sound: sound)
        try writer.put(replaced.encoded, for: key, in: ExchangeZones.replaced)
    }

    /// The time that has passed over passes with replaced files.
    func elapsed(in reader: any StorageReader) throws -> ElapsedTime? {
        try reader.value(zones.key(), in: ExchangeZones.elapsed).map { try ElapsedTime(decoding: $0) }
    }

    func put(_ time: ElapsedTime, in writer: any StorageWriter) throws {
        try writer.put(time.encoded, for: zones.key(), in: ExchangeZones.elapsed)
    }
}
