import FileCoordination
public import LLVSCore

/// Devices that share a folder through a bad courier, by a script: they edit, sync, die, disagree; then the faults stop, and
/// every promise of convergence is checked. What is promised at all times is checked after every step.
///
/// Unchecked: one test uses it, from one task.
public final class SimulatedFolder: @unchecked Sendable {
    /// Where a replica is: its courier and its number there.
    struct Place {
        let courier: Int
        let index: Int
    }

    /// What is done.
    public let script: SimulationScript
    /// The devices, clones among them.
    public internal(set) var devices: [SimulatedFolderDevice] = []
    /// One for each folder.
    var couriers: [Courier] = []
    /// Every replica.
    var places: [Place] = []
    /// Which replicas each device has.
    var placesOfDevice: [[Int]] = []
    /// Backups of stores.
    var backups: [Int: (store: MemoryStorage, ledger: SimulatedFolderLedger)] = [:]
    var readers: Set<Int> = []
    /// Devices whose lane another writes to as well, or did.
    var twins: Set<Int> = []
    /// Lanes that their devices left by saying so.
    var left: Set<String> = []
    var disks: [MemoryFileSystem] = []
    /// What every device wrote under which name.
    var written: [String: WrittenFile] = [:]
    /// The parents of every version that was seen.
    var parents: [Version.ID: [Version.ID]] = [:]
    /// Current versions that were found to hold all their device's work.
    var checkedCurrents: [Int: Version.ID] = [:]
    /// Milliseconds since 1970, of the disks.
    var now: Int64 = 1_767_225_600_000
    var cards: [(name: String, bytes: [UInt8])] = []
    /// What happened.
    public internal(set) var log: [String] = []
    /// The rounds that were needed until no new version came up.
    public internal(set) var rounds = 0
    /// The number of versions at the end.
    public internal(set) var versions = 0
    /// Files that the carrier had to bring back because no device writes them again.
    public internal(set) var keptFiles = 0
    /// A further promise that is checked after every step.
    private let check: (SimulatedFolder) throws -> Void

    struct WrittenFile {
        let bytes: [UInt8]
        let courier: Int
        var isRemovedByOwner = false
    }

    /// The rules for conflicts by number.
    public static let arbiters: [any MergeArbiter] = [
        MostRecentChangeArbiter(), SimulatedFolderArbiter.first, SimulatedFolderArbiter.second,
        SimulatedFolderArbiter.removal, SimulatedFolderArbiter.mixture, MostRecentBranchArbiter(),
    ]

    private init(
        _ script: SimulationScript, directory: String?, check: @escaping (SimulatedFolder) throws -> Void
    ) throws {
        self.script = script
        self.check = check
        try setUp(directory)
    }

    /// Runs a script.
    /// - Parameter check: a further promise, checked after every step.
    /// - Throws: ``SimulatedFolderFailure`` for a broken promise, with what happened.
    @discardableResult
    public static func run(
        _ script: SimulationScript, checking check: @escaping (SimulatedFolder) throws -> Void = { _ in }
    ) async throws -> SimulatedFolder {
        if !script.setup.isOnDisk { return try await run(script, in: nil, check) }
        return try await SimulatedFolderTree.withDirectory { try await run(script, in: $0, check) }
    }

    private static func run(
        _ script: SimulationScript, in directory: String?, _ check: @escaping (SimulatedFolder) throws -> Void
    ) async throws -> SimulatedFolder {
        let simulation = try SimulatedFolder(script, directory: directory, check: check)
        do {
            for step in script.steps {
                try await simulation.perform(step)
                try simulation.checkStep()
                try check(simulation)
            }
            try await simulation.settle()
            try simulation.checkEnd()
            if directory != nil { for device in simulation.devices { try device.store.close() } }
        } catch {
            let story = (simulation.log + [""]).suffix(80).joined(separator: "\n  ")
            throw SimulatedFolderFailure("\(error)\n  \(story)")
        }
        return simulation
    }

    func note(_ what: String) { log.append(what) }

    /// The replica of that number, counted around.
    func place(_ number: Int) -> Place { places[number % places.count] }

    func tree(_ place: Place) -> SimulatedFolderTree { couriers[place.courier].replicas[place.index] }
}
