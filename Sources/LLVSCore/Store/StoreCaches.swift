import Synchronization

/// What a store remembers of its immutable rows. Bounded; shared by all threads.
final class StoreCaches: Sendable {
    let nodes = MapNodeCache()
    private let versions = Mutex<[Int64: StoredVersion]>([:])
    private static let mostVersions = 8_192
    private let indexed = Atomic(false)

    /// Whether the store is known to have its list of branches.
    var hasBranches: Bool { indexed.load(ordering: .relaxed) }

    func version(_ row: Int64) -> StoredVersion? {
        versions.withLock { $0[row] }
    }

    func remember(_ version: StoredVersion) {
        versions.withLock { known in
            if known.count >= Self.mostVersions { known.removeAll(keepingCapacity: true) }
            known[version.row] = version
        }
    }

    /// Forgets everything: rows were written again.
    func removeAll() {
        nodes.removeAll()
        versions.withLock { $0.removeAll() }
    }

    /// Takes over what a transaction read and wrote, now that it is committed.
    func adopt(_ stage: TransactionStage) {
        nodes.adopt(stage.nodes)
        for version in stage.versions.values { remember(version) }
        if stage.hasBranches { indexed.store(true, ordering: .relaxed) }
    }
}

/// What one writing transaction read and wrote. Forgotten if it is rolled back, since its row numbers are given out again.
final class TransactionStage {
    let nodes = StagedMapNodes()
    var versions: [Int64: StoredVersion] = [:]
    /// Whether the transaction found or made the list of branches.
    var hasBranches = false
}
