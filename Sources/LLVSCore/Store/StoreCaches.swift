import Synchronization

/// What a store remembers of its immutable rows. Bounded; shared by all threads.
final class StoreCaches: Sendable {
    let nodes: MapNodeCache
    private let versions = Mutex<[Int64: StoredVersion]>([:])
    private let keepsVersions: Bool
    private static let mostVersions = 8_192

    init() {
        nodes = MapNodeCache()
        keepsVersions = true
    }

    /// For one writing transaction: forgotten with it, since a rolled back row's number is given out again.
    init(forTransaction nodes: MapNodeCache) {
        self.nodes = nodes
        keepsVersions = true
    }

    func version(_ row: Int64) -> StoredVersion? {
        versions.withLock { $0[row] }
    }

    func remember(_ version: StoredVersion) {
        versions.withLock { known in
            if known.count >= Self.mostVersions { known.removeAll(keepingCapacity: true) }
            known[version.row] = version
        }
    }
}
