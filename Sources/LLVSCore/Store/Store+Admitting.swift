/// A version on its way into the store, with the contents of its inserts and updates.
package struct ArrivingVersion {
    package let record: VersionRecord
    /// The content of an inserted or updated value.
    package let content: (ChangeList.Entry) throws -> Value.Content

    package init(record: VersionRecord, content: @escaping (ChangeList.Entry) throws -> Value.Content) {
        self.record = record
        self.content = content
    }
}

extension Store {
    /// Runs `body` in one transaction with the store's own, so that versions and what an exchange remembers of them are
    /// written together.
    package func exchange<Result>(
        now: Int64 = Store.wallClock(), _ body: (ExchangeTransaction) throws -> Result
    ) throws -> Result {
        try write(now: now) { try body(ExchangeTransaction(transaction: $0, storage: storage)) }
    }

    /// As ``exchange(now:_:)``, for thousands of versions.
    package func exchangeMuch<Result>(
        now: Int64 = Store.wallClock(), _ body: (ExchangeTransaction) throws -> Result
    ) throws -> Result {
        try writeMuch(now: now) { try body(ExchangeTransaction(transaction: $0, storage: storage)) }
    }

    /// The reading half of ``exchange(now:_:)``.
    package func inspect<Result>(_ body: (ExchangeView) throws -> Result) throws -> Result {
        try read { try body(ExchangeView(snapshot: $0, storage: storage)) }
    }
}

/// What an exchange reads of a store.
package struct ExchangeView {
    let snapshot: StoreSnapshot
    let storage: any Storage

    package var reader: any StorageReader { snapshot.reader }

    /// Whether the store has the version, in whatever state, or nil.
    package func state(of id: Version.ID) throws -> VersionState? {
        id == .root ? .firm : try snapshot.entry(id)?.state
    }

    /// The number of firm versions ever: the log's last number.
    package func firmCount() throws -> Int64 {
        try reader.lastRow(in: StoreZones.firm)
    }

    /// Calls `body` with the firm versions from number `from` on, parents first, until it returns false.
    package func forEachFirm(from number: Int64, _ body: (Int64, OutgoingVersion) throws -> Bool) throws {
        try reader.scanRows(StoreZones.firm, from: number) { number, bytes in
            let row = try LogEntry(decoding: bytes, number: number).row
            return try body(number, OutgoingVersion(stored: try snapshot.stored(row), view: self))
        }
    }

    /// A version to send.
    package func outgoing(_ id: Version.ID) throws -> OutgoingVersion {
        OutgoingVersion(stored: try snapshot.get(id), view: self)
    }
}

/// A version with its canonical bytes and its bodies, for sending. Valid within its transaction.
package struct OutgoingVersion {
    let stored: StoredVersion
    let view: ExchangeView

    package var id: Version.ID { stored.id }
    package var headerBytes: [UInt8] { stored.header }

    package func changesBytes() throws -> [UInt8] {
        guard let bytes = try view.snapshot.changesBytes(of: stored.row) else {
            throw StoreError.damagedRecord("the change list of version \(stored.id)")
        }
        return bytes
    }

    /// The digest of its canonical record; see `VersionRecord.digest`.
    package func recordDigest() throws -> Digest {
        var hash = SHA256()
        hash.update(stored.header)
        hash.update(try changesBytes())
        return hash.digest()
    }

    /// How many bytes it is as it was saved: header, change list and bodies.
    package func byteCount() throws -> Int {
        let changes = try changesBytes()
        let stored = try ChangeList(decoding: changes).entries.count {
            $0.operation == .insert || $0.operation == .update
        }
        return try bodySizes(stored).reduce(headerBytes.count + changes.count) { $0 + Int(clamping: $1) }
    }

    /// The sizes of its bodies, in the order of its inserts and updates.
    package func bodySizes(_ count: Int) throws -> [UInt64] {
        try (0..<count).map { try BodyStorage.size(stored.firstBody + Int64($0), in: view.reader) }
    }

    /// Some bytes of the body of its n-th insert or update.
    package func body(_ index: Int, from offset: UInt64, count: Int) throws -> [UInt8] {
        try BodyStorage.slice(stored.firstBody + Int64(index), from: offset, count: count, in: view.reader)
    }

    /// The body of its n-th insert or update, whose hash the change list states.
    package func body(_ index: Int, hash: Digest) throws -> Value.Content {
        try BodyStorage.content(stored.firstBody + Int64(index), hash: hash, in: view.reader, of: view.storage)
    }
}

/// What an exchange writes: versions, and its own zones.
package struct ExchangeTransaction {
    let transaction: StoreTransaction
    let storage: any Storage

    package var writer: any StorageWriter { transaction.writer }
    package var view: ExchangeView { ExchangeView(snapshot: transaction.snapshot, storage: storage) }

    /// Adds a version whose parents are in the store; it and its ancestors become firm.
    package func admit(_ arrival: ArrivingVersion) throws {
        try transaction.add(arrival.record, state: .firm, bodies: arrival.content)
    }
}
