import FileCoordination
public import FolderSync
public import LLVSCore

/// One device: its store, its replica of the shared folder, its clock, and what it promised to its user.
///
/// Unchecked: one test uses it, from one task.
public final class SimulatedFolderDevice: @unchecked Sendable {
    /// Its name, for messages.
    public let name: String
    /// Its replica of the shared folder.
    public let replica: SimulatedFolderTree
    /// Its clock.
    public let clock: SimulatedFolderClock
    /// What goes wrong with it.
    public let mortality = SimulatedFolderMortality()
    /// Its rule for conflicts.
    public let arbiter: any MergeArbiter
    /// The branch its edits are on.
    public let branch: Branch?
    /// Versions that a save returned: they must never be lost anywhere.
    public private(set) var acknowledged: [Version.ID] = []
    /// Versions that were current here: an edit may be based on any.
    public private(set) var seen: [Version.ID] = [.root]
    /// The store.
    public private(set) var store: Store
    /// Its way to the folder.
    public private(set) var exchange: FolderExchange
    /// Keeps its current version.
    public private(set) var coordinator: StoreCoordinator
    private let storePath: String?
    private let attachment: FolderAttachment
    private var firmCount = 0

    /// A device whose store is a member of the replica's folder.
    /// - Parameters:
    ///   - storePath: where the store is; nil: in memory.
    ///   - creating: whether it makes the folder's card.
    public init(
        _ name: String, replica: String, storePath: String? = nil, creating: Bool = false,
        arbiter: any MergeArbiter = MostRecentChangeArbiter(), branch: Branch? = nil, clockOffBy offset: Int64 = 0,
        seed: UInt64 = 0
    ) throws {
        self.name = name
        self.replica = SimulatedFolderTree(replica)
        self.arbiter = arbiter
        self.branch = branch
        self.storePath = storePath
        clock = SimulatedFolderClock(offBy: offset)
        let storage: any Storage =
            try storePath.map { try SQLiteStorage.create(at: $0, durability: .normal) } ?? MemoryStorage()
        store = Store(storage: SimulatedFolderStorage(storage, mortality), path: storePath)
        var names = SimulatedFolderRandom(seed: seed)
        attachment = try FolderExchange.attach(
            store, to: replica, creating: creating, files: mortality.files, naming: &names)
        (exchange, coordinator) = Self.connect(store, attachment, mortality, clock, arbiter, branch)
    }

    private static func connect(
        _ store: Store, _ attachment: FolderAttachment, _ mortality: SimulatedFolderMortality,
        _ clock: SimulatedFolderClock, _ arbiter: any MergeArbiter, _ branch: Branch?
    ) -> (FolderExchange, StoreCoordinator) {
        let exchange = FolderExchange(
            store: store, attachment: attachment, files: mortality.files, clock: { clock.now },
            pause: { clock.advance($0) })
        let coordinator = StoreCoordinator(store: store, branch: branch, arbiter: arbiter, clock: { clock.now })
        return (exchange, coordinator)
    }

    /// The lane it writes.
    public var lane: String { attachment.lane.description }

    /// Forgets everything but the disk, as a new process does.
    public func reopen() throws {
        let base: any Storage
        if let old = store.storage as? SimulatedFolderStorage, storePath == nil {
            base = old.base
        } else {
            try store.close()
            base = try SQLiteStorage.open(at: storePath ?? "", durability: .normal)
        }
        mortality.revive()
        store = Store(storage: SimulatedFolderStorage(base, mortality), path: storePath)
        (exchange, coordinator) = Self.connect(store, attachment, mortality, clock, arbiter, branch)
    }

    /// Another process of this device, on the same store.
    public func secondProcess() -> (FolderExchange, StoreCoordinator) {
        Self.connect(store, attachment, mortality, clock, arbiter, branch)
    }

    /// One whole pass.
    @discardableResult
    public func pass() async throws -> PassOutcome { try await pass(exchange, coordinator) }

    /// One whole pass of one of its processes.
    @discardableResult
    public func pass(_ exchange: FolderExchange, _ coordinator: StoreCoordinator) async throws -> PassOutcome {
        let outcome = try await exchange.pass(coordinator)
        try noteCurrent()
        return outcome
    }

    /// Saves, and remembers that it was told that this is done.
    @discardableResult
    public func save(_ changes: [Value.Change], basedOn base: Version.ID? = nil) async throws -> Version {
        let version = try await coordinator.save(changes, basedOn: base)
        if try store.state(of: version.id) == .firm, version.id != .root { acknowledged.append(version.id) }
        try noteCurrent()
        return version
    }

    /// Saves text under an id.
    @discardableResult
    public func save(_ id: Value.ID, _ text: String, basedOn base: Version.ID? = nil) async throws -> Version {
        try await save([.insert(Value(id: id, text))], basedOn: base)
    }

    /// The current version.
    public func current() throws -> Version.ID {
        try store.storage.read { reader in
            try reader.value(Array("main".utf8), in: KeyedZone("current")).map { try Version.ID(utf8: $0) } ?? .root
        }
    }

    private func noteCurrent() throws {
        let current = try current()
        if seen.last != current { seen.append(current) }
        let count = try store.versionCount()
        if count < firmCount { throw SimulatedFolderFailure("\(name) had \(firmCount) versions and has \(count)") }
        firmCount = count
    }

    /// The text of a value at the current version.
    public func text(_ id: Value.ID) throws -> String? {
        try store.bytes(of: id, at: current()).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The ids of all versions in the store, in whatever state.
    public func everyVersion() throws -> Set<[UInt8]> {
        try store.storage.read { reader in
            var ids: Set<[UInt8]> = []
            try reader.scan(KeyedZone("index"), from: [], before: nil) { id, _ in
                ids.insert(id)
                return true
            }
            return ids
        }
    }

    /// Everything it has at its current version.
    public func values() throws -> [Value.ID: [UInt8]] {
        let current = try current()
        var values: [Value.ID: [UInt8]] = [:]
        for id in try store.valueIDs(at: current) { values[id] = try store.bytes(of: id, at: current) }
        return values
    }
}
