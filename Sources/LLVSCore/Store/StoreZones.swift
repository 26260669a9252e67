/// The zones of a store and the small records in them. Integers in keys are big-endian, so that byte order is number order.
enum StoreZones {
    /// Version row → ``VersionRow``.
    static let versions = RowZone("versions")
    /// Version row → canonical bytes of its change list, where that is not in the version's row.
    static let changes = RowZone("changes")
    /// Nodes of all maps.
    static let nodes = RowZone("nodes")
    /// Body row → the value's bytes, or where its chunks are.
    static let bodies = RowZone("bodies")
    /// Pieces of large bodies; row = blob number << 24 | index.
    static let chunks = RowZone("chunks")
    /// Version id → ``VersionIndexEntry``.
    static let index = KeyedZone("index")
    /// Rows of versions that are not firm.
    static let loose = KeyedZone("loose")
    /// Coordinator name → current version id.
    static let current = KeyedZone("current")
    /// Form of the store and the like.
    static let settings = KeyedZone("settings")

    /// All that makes up a store, for whoever copies one. What exchanges and commands remember is theirs and not in it.
    static let allRows = [bodies, chunks, changes, versions, nodes, firm, segments]
    /// The keyed half of ``allRows``.
    static let allKeyed = [index, loose, heads, tips, current, settings, dropped, changed, branches]

    static func key(_ row: Int64) -> [UInt8] {
        withUnsafeBytes(of: row.bigEndian) { Array($0) }
    }

    static func row(fromKey key: [UInt8]) throws -> Int64 {
        guard key.count == 8 else { throw StoreError.damagedRecord("a row number") }
        return key.reduce(0) { $0 << 8 | Int64($1) }
    }
}

/// Whether a version counts.
///
/// Firm versions are the history: they are heads, are counted and travel. Provisional ones are merges that this device made
/// for itself and will make again; dropped ones stay readable for a while, because someone may have based an edit on them.
public enum VersionState: UInt8, Hashable, Sendable {
    /// Part of the history.
    case firm = 1
    /// A merge of this device's own, made again at the next merge.
    case provisional = 2
    /// A provisional merge that is no longer in use.
    case dropped = 3
}

/// Where a version is and whether it counts.
struct VersionIndexEntry {
    var row: Int64
    var state: VersionState
    /// When it got its state: milliseconds since 1970.
    var since: Int64

    var encoded: [UInt8] {
        var out = ByteWriter()
        out.i64(row)
        out.u8(state.rawValue)
        out.i64(since)
        return out.bytes
    }

    init(row: Int64, state: VersionState, since: Int64) {
        self.row = row
        self.state = state
        self.since = since
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "a version's index entry")
        row = try reader.i64()
        guard let state = VersionState(rawValue: try reader.u8()) else {
            throw StoreError.damagedRecord("a version's state")
        }
        self.state = state
        since = try reader.i64()
        try reader.expectEnd()
    }
}

extension StoreError {
    static func damagedRecord(_ what: String) -> StoreError {
        StoreError(
            .damaged, "\(what) in the store does not decode",
            remedy: "run verify, and restore the store from a backup or sync a new one from the shared folder")
    }

    static func noSuchVersion(_ id: Version.ID) -> StoreError {
        StoreError(.noSuchVersion, "there is no version \(id)", remedy: "list the versions with log")
    }
}
