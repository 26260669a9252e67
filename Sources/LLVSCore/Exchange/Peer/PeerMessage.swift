/// A message between peers. Bytes: "LLVSpeer1", u8 kind, u64 number of the request, then what the kind says; lengths are u32,
/// integers little-endian.
enum PeerMessage {
    /// Asks which versions the peer has, from a number of its log on.
    case whichFrom(UInt64, Int64)
    /// Answers with ids, parents first, and the number to go on from.
    case these(UInt64, next: Int64, [Version.ID])
    /// Asks for versions.
    case give(UInt64, [Version.ID])
    /// Answers with as many of them as fit, parents first.
    case here(UInt64, [PeerParcel])
    /// Sends versions unasked, parents first.
    case push([PeerParcel])

    private static let name = [UInt8]("LLVSpeer1".utf8)

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.name)
        switch self {
        case .whichFrom(let request, let start):
            writer.u8(1)
            writer.u64(request)
            writer.i64(start)
        case .these(let request, let next, let ids):
            writer.u8(2)
            writer.u64(request)
            writer.i64(next)
            Self.write(ids, to: &writer)
        case .give(let request, let ids):
            writer.u8(3)
            writer.u64(request)
            Self.write(ids, to: &writer)
        case .here(let request, let parcels):
            writer.u8(4)
            writer.u64(request)
            Self.write(parcels, to: &writer)
        case .push(let parcels):
            writer.u8(5)
            writer.u64(0)
            Self.write(parcels, to: &writer)
        }
        return writer.bytes
    }

    init(decoding bytes: [UInt8]) throws(StoreError) {
        var reader = ByteReader(bytes, of: "message of a peer", code: .invalidMessage)
        try reader.expect(Self.name)
        let kind = try reader.u8()
        let request = try reader.u64()
        switch kind {
        case 1: self = .whichFrom(request, try reader.i64())
        case 2: self = .these(request, next: try reader.i64(), try Self.ids(from: &reader))
        case 3: self = .give(request, try Self.ids(from: &reader))
        case 4: self = .here(request, try Self.parcels(from: &reader))
        case 5: self = .push(try Self.parcels(from: &reader))
        default: throw reader.failure("has a kind \(kind), which is none")
        }
        try reader.expectEnd()
    }

    private static func write(_ ids: [Version.ID], to writer: inout ByteWriter) {
        writer.count(ids.count)
        for id in ids { writer.lengthPrefixed(id.utf8) }
    }

    private static func write(_ parcels: [PeerParcel], to writer: inout ByteWriter) {
        writer.count(parcels.count)
        for parcel in parcels { writer.lengthPrefixed(parcel.encoded) }
    }

    private static func ids(from reader: inout ByteReader) throws(StoreError) -> [Version.ID] {
        var ids: [Version.ID] = []
        for _ in 0..<(try reader.count(ofEntriesOf: 5)) { ids.append(try Version.ID(utf8: reader.lengthPrefixed())) }
        return ids
    }

    private static func parcels(from reader: inout ByteReader) throws(StoreError) -> [PeerParcel] {
        var parcels: [PeerParcel] = []
        for _ in 0..<(try reader.count(ofEntriesOf: 8)) {
            parcels.append(try PeerParcel(decoding: reader.lengthPrefixed()))
        }
        return parcels
    }
}

/// A version with its bytes and values, checked.
struct PeerParcel {
    let record: VersionRecord
    /// The values of its inserts and updates, in the order of the changes.
    let bodies: [[UInt8]]
    /// About how many bytes it takes.
    let size: Int

    /// The most bytes of values that one version may have in a message.
    static let greatestContent: UInt64 = 64 << 20

    private static func stored(_ record: VersionRecord) -> [ChangeList.Entry] {
        record.changes.entries.filter { [.insert, .update].contains($0.operation) }
    }

    /// Nil if it is too large for a message.
    init?(_ outgoing: OutgoingVersion) throws {
        record = try VersionRecord(
            decodingHeader: outgoing.headerBytes, changes: try outgoing.changesBytes(), id: outgoing.id,
            allowingForeign: true)
        let stored = Self.stored(record)
        guard try outgoing.bodySizes(stored.count).reduce(0, +) <= Self.greatestContent else { return nil }
        bodies = try stored.enumerated().map { try outgoing.body($0, hash: $1.contentHash).allBytes() }
        size = Self.size(record, bodies)
    }

    init(decoding bytes: [UInt8]) throws(StoreError) {
        var reader = ByteReader(bytes, of: "version of a peer", code: .invalidMessage)
        let id = try Version.ID(utf8: reader.lengthPrefixed())
        let header = try reader.lengthPrefixed()
        record = try VersionRecord(
            decodingHeader: header, changes: reader.lengthPrefixed(), id: id, allowingForeign: true)
        var bodies: [[UInt8]] = []
        for _ in Self.stored(record) { bodies.append(try reader.lengthPrefixed()) }
        try reader.expectEnd()
        self.bodies = bodies
        size = Self.size(record, bodies)
    }

    private static func size(_ record: VersionRecord, _ bodies: [[UInt8]]) -> Int {
        record.header.count + record.changesBytes.count + bodies.reduce(0) { $0 + $1.count }
    }

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: size + 512)
        writer.lengthPrefixed(record.id.utf8)
        writer.lengthPrefixed(record.header)
        writer.lengthPrefixed(record.changesBytes)
        for body in bodies { writer.lengthPrefixed(body) }
        return writer.bytes
    }

    /// For the store, which checks the bodies against their hashes.
    var arrival: ArrivingVersion {
        let contents = Dictionary(
            zip(Self.stored(record).map(\.id), bodies), uniquingKeysWith: { first, _ in first })
        return ArrivingVersion(record: record) { entry in
            guard let bytes = contents[entry.id] else { throw StoreError.damagedRecord("a change list") }
            return .bytes(bytes)
        }
    }
}
