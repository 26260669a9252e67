public import FolderSync
public import LLVSCore

/// One device: its store, its replica of the shared folder, its clock, and what it promised to its user.
///
/// Unchecked: one test uses it, from one task.
public final class SimulatedFolderDevice: @unchecked Sendable {
    /// How a device is made.
    public struct Design: Sendable {
        /// Its rule for conflicts.
        public var arbiter: any MergeArbiter = MostRecentChangeArbiter()
        /// The branch its edits are on.
        public var branch: Branch?
        /// Further branches that it follows.
        public var selecting: Set<Branch> = []
        /// How far its clock is off, in milliseconds.
        public var clockOffset: Int64 = 0
        /// What the names of its lanes follow from.
        public var seed: UInt64 = 0
        /// What seals its files, if anything does.
        public var transform: (any FolderTransform)?

        /// An ordinary device.
        public init() {}
    }

    /// A way to a folder.
    public struct Membership: Sendable {
        /// This device's replica of the folder.
        public let replica: SimulatedFolderTree
        /// The way to it.
        public let exchange: FolderExchange
    }

    /// Its name, for messages.
    public let name: String
    /// Its clock.
    public let clock: SimulatedFolderClock
    /// What goes wrong with it.
    public let mortality = SimulatedFolderMortality()
    /// How it was made.
    public let design: Design
    /// What it promised and what it was seen to have.
    public var ledger = SimulatedFolderLedger()
    /// The store.
    public private(set) var store: Store
    /// Its ways to its folders; most have one.
    public private(set) var memberships: [Membership] = []
    /// Keeps its current version.
    public private(set) var coordinator: StoreCoordinator
    private let storePath: String?
    private var names: SimulatedFolderRandom

    /// A device whose store is a member of the replica's folder.
    /// - Parameters:
    ///   - storePath: where the store is; nil: in memory.
    ///   - creating: whether it makes the folder's card.
    public convenience init(
        _ name: String, replica: String, storePath: String? = nil, creating: Bool = false,
        arbiter: any MergeArbiter = MostRecentChangeArbiter(), branch: Branch? = nil, clockOffBy offset: Int64 = 0,
        seed: UInt64 = 0
    ) throws {
        var design = Design()
        design.arbiter = arbiter
        design.branch = branch
        design.clockOffset = offset
        design.seed = seed
        try self.init(
            name, replica: SimulatedFolderTree(replica), storePath: storePath, creating: creating, design: design)
    }

    /// A device of some design on any disk.
    public convenience init(
        _ name: String, replica: SimulatedFolderTree, storePath: String? = nil, creating: Bool = false, design: Design
    ) throws {
        let storage: any Storage =
            try storePath.map { try SQLiteStorage.create(at: $0, durability: .normal) } ?? MemoryStorage()
        self.init(name, storage, storePath: storePath, design: design)
        try attach(to: replica, creating: creating)
    }

    private init(_ name: String, _ storage: any Storage, storePath: String?, design: Design) {
        self.name = name
        self.design = design
        self.storePath = storePath
        clock = SimulatedFolderClock(offBy: design.clockOffset)
        names = SimulatedFolderRandom(seed: design.seed)
        store = Store(storage: SimulatedFolderStorage(storage, mortality), path: storePath)
        coordinator = Self.coordinator(of: store, design, clock)
    }

    private static func coordinator(
        of store: Store, _ design: Design, _ clock: SimulatedFolderClock
    ) -> StoreCoordinator {
        StoreCoordinator(
            store: store, branch: design.branch, selecting: design.selecting, arbiter: design.arbiter,
            clock: { clock.now })
    }

    /// The next of its names, so that a seed replays.
    private func makeLane() -> LaneID { LaneID.random(using: &names) }

    private func connect(_ attachment: FolderAttachment, _ replica: SimulatedFolderTree) -> Membership {
        let exchange = FolderExchange(
            store: store, attachment: attachment, files: mortality.files(on: replica.files),
            transform: design.transform,
            clock: { [clock] in clock.now },
            pause: { [clock] in clock.advance($0) },
            makeLane: { [weak self] in self?.makeLane() ?? LaneID.random() })
        return Membership(replica: replica, exchange: exchange)
    }
}

// MARK: - Its folders

extension SimulatedFolderDevice {
    /// Its replica of its first folder.
    public var replica: SimulatedFolderTree { memberships[0].replica }
    /// Its way to its first folder.
    public var exchange: FolderExchange { memberships[0].exchange }
    /// The lane it writes in its first folder.
    public var lane: String { exchange.attachment.lane.description }
    /// Its rule for conflicts.
    public var arbiter: any MergeArbiter { design.arbiter }
    /// The branch its edits are on.
    public var branch: Branch? { design.branch }

    /// Makes it a member of a folder, or, where it is one, a member anew.
    public func attach(to replica: SimulatedFolderTree, creating: Bool = false) throws {
        let attachment = try FolderExchange.attach(
            store, to: replica.path, creating: creating, files: mortality.files(on: replica.files), naming: &names)
        let membership = connect(attachment, replica)
        if let known = memberships.firstIndex(where: { $0.replica.path == replica.path }) {
            memberships[known] = membership
        } else {
            memberships.append(membership)
        }
    }

    /// Another process of this device, on the same store.
    public func secondProcess() -> (FolderExchange, StoreCoordinator) {
        (
            connect(exchange.attachment, replica).exchange,
            Self.coordinator(of: store, design, clock)
        )
    }
}

// MARK: - Its lives

extension SimulatedFolderDevice {
    /// Forgets everything but the disk, as a new process does.
    public func reopen() throws {
        if let path = storePath {
            try store.close()
            start(with: try SQLiteStorage.open(at: path, durability: .normal))
        } else {
            start(with: base)
        }
    }

    private var base: any Storage { (store.storage as? SimulatedFolderStorage)?.base ?? store.storage }

    private func start(with storage: any Storage) {
        mortality.revive()
        store = Store(storage: SimulatedFolderStorage(storage, mortality), path: storePath)
        memberships = memberships.map { connect($0.exchange.attachment, $0.replica) }
        coordinator = Self.coordinator(of: store, design, clock)
    }

    /// The store as it is now, to be restored or cloned; nil if it is not in memory.
    public func copyOfStore() throws -> MemoryStorage? {
        try (base as? MemoryStorage).map { try MemoryStorage(copying: $0) }
    }

    /// Goes on with an older state of its store.
    public func restore(_ storage: MemoryStorage, _ ledger: SimulatedFolderLedger) throws {
        start(with: try MemoryStorage(copying: storage))
        self.ledger.goBack(to: ledger)
        try rejoin()
    }

    /// A device that believes to be this one, with replicas of its own.
    public func clone(_ name: String, _ storage: MemoryStorage, on replicas: [SimulatedFolderTree], seed: UInt64)
        throws -> SimulatedFolderDevice
    {
        var design = design
        design.seed = seed
        let clone = SimulatedFolderDevice(name, storage, storePath: nil, design: design)
        clone.clock.set(clock.now)
        clone.ledger = ledger
        clone.mortality.inherit(mortality)
        clone.memberships = zip(memberships, replicas).map { clone.connect($0.exchange.attachment, $1) }
        return clone
    }

    /// Takes up the lanes that its store knows.
    private func rejoin() throws {
        let known = try FolderExchange.attachments(of: store)
        memberships = memberships.map { member in
            let attachment = known.first { $0.folder == member.replica.path } ?? member.exchange.attachment
            return connect(attachment, member.replica)
        }
    }
}
