import Synchronization

/// What a store remembers of its immutable rows. Bounded; shared by all threads.
final class StoreCaches: Sendable {
    let nodes = MapNodeCache(capacity: 16_384)
    private let versions = Mutex(AgingCache<Int64, StoredVersion>(capacity: mostVersions))
    private let firm = Mutex(AgingCache<Version.ID, Int64>(capacity: mostVersions))
    private static let mostVersions = 16_384
    private let indexed = Atomic(false)

    /// Whether the store is known to have its list of branches.
    var hasBranches: Bool { indexed.load(ordering: .relaxed) }

    func version(_ row: Int64) -> StoredVersion? {
        versions.withLock { $0.find(row) }
    }

    func remember(_ version: StoredVersion) {
        versions.withLock { $0.insert(version, for: version.row) }
    }

    /// A version that is committed and firm, which it stays. A snapshot that was taken before this call may lack it.
    func firmVersion(_ id: Version.ID) -> StoredVersion? {
        guard let row = firm.withLock({ $0.find(id) }), let version = version(row), version.id == id else { return nil }
        return version
    }

    func rememberFirm(_ id: Version.ID, row: Int64) {
        firm.withLock { $0.insert(row, for: id) }
    }

    /// Forgets everything: rows were written again.
    func removeAll() {
        nodes.removeAll()
        versions.withLock { $0.removeAll() }
        firm.withLock { $0.removeAll() }
    }

    /// Takes over what a transaction read and wrote, now that it is committed.
    func adopt(_ stage: TransactionStage) {
        nodes.adopt(stage.nodes)
        for version in stage.versions.values { remember(version) }
        for (id, row) in stage.firm { rememberFirm(id, row: row) }
        if stage.hasBranches { indexed.store(true, ordering: .relaxed) }
    }
}

/// What one writing transaction read and wrote. Forgotten if it is rolled back, since its row numbers are given out again.
final class TransactionStage {
    let nodes = StagedMapNodes()
    private(set) var versions: [Int64: StoredVersion] = [:]
    /// The version it wrote last: most likely the next one stands on it.
    private(set) var latest: StoredVersion?
    /// Versions that are firm.
    private(set) var firm: [Version.ID: Int64] = [:]
    private static let mostVersions = 16_384
    /// Whether the transaction found or made the list of branches.
    var hasBranches = false

    func remember(_ version: StoredVersion) {
        if versions.count >= Self.mostVersions { versions.removeAll(keepingCapacity: true) }
        versions[version.row] = version
    }

    /// Remembers a version that it wrote.
    func rememberWritten(_ version: StoredVersion) {
        remember(version)
        latest = version
    }

    func rememberFirm(_ id: Version.ID, row: Int64) {
        if firm.count >= Self.mostVersions { firm.removeAll(keepingCapacity: true) }
        firm[id] = row
    }
}
