package import LLVSCore

/// A version on its way between stores, with everything that travels.
package struct VersionParcel: Sendable {
    /// Header and change list.
    package let record: VersionRecord
    /// The bytes of its inserts and updates.
    package let contents: [Value.ID: [UInt8]]

    /// The version's id.
    package var id: Version.ID { record.id }

    /// A version and its bytes.
    package init(record: VersionRecord, contents: [Value.ID: [UInt8]] = [:]) {
        self.record = record
        self.contents = contents
    }
}

extension StoreBuilder {
    /// The firm versions from log number `number` on, parents first, as an exchange sends them: written and read again.
    package func parcels(from number: Int64 = 1) throws -> [VersionParcel] {
        var parcels: [VersionParcel] = []
        try store.inspect { view in
            try view.forEachFirm(from: number) { _, outgoing in
                let record = try VersionRecord(
                    decodingHeader: outgoing.headerBytes, changes: try outgoing.changesBytes(), id: outgoing.id)
                let stored = record.changes.entries.filter { [.insert, .update].contains($0.operation) }
                var contents: [Value.ID: [UInt8]] = [:]
                for (index, entry) in stored.enumerated() {
                    contents[entry.id] = try outgoing.body(index, hash: entry.contentHash).allBytes()
                }
                parcels.append(VersionParcel(record: record, contents: contents))
                return true
            }
        }
        return parcels
    }

    /// Takes a version in as an exchange does.
    package func admit(_ parcel: VersionParcel) throws {
        try admit([parcel])
    }

    /// Takes versions in as an exchange does, in one transaction.
    package func admit(_ parcels: [VersionParcel]) throws {
        try store.exchange(now: Self.now) { transaction in
            for parcel in parcels {
                let arrival = ArrivingVersion(record: parcel.record) { entry in
                    guard let bytes = parcel.contents[entry.id] else { throw MissingContent(id: entry.id) }
                    return .bytes(bytes)
                }
                try transaction.admit(arrival)
            }
        }
    }

    /// Takes in everything that `other` has and this store lacks.
    package func admitAll(of other: StoreBuilder) throws {
        try admit(try other.parcels())
    }
}

/// A parcel lacks the bytes of a value.
private struct MissingContent: Error {
    let id: Value.ID
}
