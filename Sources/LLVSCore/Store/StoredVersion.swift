/// A version as the store keeps it: what walks and reads need without decoding its canonical bytes.
struct StoredVersion {
    /// The local row: 0 for the root, ascending in order of arrival, so parents have smaller rows.
    let row: Int64
    let id: Version.ID
    let kind: Version.Kind
    let generation: UInt64
    let stamp: Stamp
    let time: Int64
    let branch: Branch?
    /// Rows of the parents in the order of their ids; the root is listed here, as row 0.
    let parents: [Int64]
    /// Index into `parents` of the one its change list is complete against.
    let basis: Int
    let map: MapRoot
    /// The first body row of this version; the others follow in the order of the change list. 0: none.
    let firstBody: Int64
    /// The canonical version bytes.
    let header: [UInt8]

    static let root = StoredVersion(
        row: 0, id: .root, kind: .authored, generation: 0, stamp: Version.root.stamp, time: 0, branch: nil,
        parents: [], basis: 0, map: .empty, firstBody: 0, header: [])

    var isRoot: Bool { row == 0 }

    /// Whether an app or a person supplied it. Foreign versions count as authored, their merges too.
    var isAuthored: Bool { kind == .authored || !id.isNative }

    /// The order in which heads are folded and merges see their sides.
    static func canonicalOrder(_ a: StoredVersion, _ b: StoredVersion) -> Bool {
        (a.generation, a.id) < (b.generation, b.id)
    }

    init(decoding bytes: [UInt8], row: Int64) throws {
        let stored = try VersionRow(decoding: bytes, row: row)
        (parents, firstBody, map, id, header) = (stored.parents, stored.firstBody, stored.map, stored.id, stored.header)
        let version = try Version(decoding: header, id: id)
        guard parents.count == max(1, version.parents.count), parents.allSatisfy({ 0 <= $0 && $0 < row }) else {
            throw StoreError.damagedRecord("version row \(row)")
        }
        self.row = row
        kind = version.kind
        generation = version.generation
        stamp = version.stamp
        time = version.time
        branch = version.branch
        basis = Int(version.basisIndex)
    }

    init(
        row: Int64, id: Version.ID, kind: Version.Kind, generation: UInt64, stamp: Stamp, time: Int64, branch: Branch?,
        parents: [Int64], basis: Int, map: MapRoot, firstBody: Int64, header: [UInt8]
    ) {
        self.row = row
        self.id = id
        self.kind = kind
        self.generation = generation
        self.stamp = stamp
        self.time = time
        self.branch = branch
        self.parents = parents
        self.basis = basis
        self.map = map
        self.firstBody = firstBody
        self.header = header
    }

    /// The version a user sees. Its bytes were compared with its id when they were read or made.
    func version() throws -> Version {
        isRoot ? .root : try Version(decoding: header, id: id, verifyingID: false)
    }
}
