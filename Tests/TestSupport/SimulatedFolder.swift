import FolderSync
import LLVSCore

/// Devices that share a folder through a bad courier, by a seed: they edit, sync, crash, disagree; then the faults stop, and
/// every promise of convergence is checked.
public final class SimulatedFolder {
    /// What is mixed in.
    public struct Recipe: Sendable {
        /// How many devices there are.
        public var devices = 3
        /// How many things happen before the faults stop.
        public var steps = 40
        /// Whether stores are SQLite's; else in memory.
        public var onDisk = false
        /// Whether values of more than 8 MiB occur.
        public var hasHugeValues = false

        /// Three devices in memory.
        public init() {}
    }

    private let seed: UInt64
    private let recipe: Recipe
    private var random: SimulatedFolderRandom
    private let devices: [SimulatedFolderDevice]
    private let courier: Courier
    private let others: [Int: (FolderExchange, StoreCoordinator)]
    private let reader: Int?
    private let card: (name: String, bytes: [UInt8])
    private var log: [String] = []
    private var courierLines = 0
    private var edits = 0
    /// The rounds that were needed until no new version came up.
    public private(set) var rounds = 0
    /// The number of versions at the end.
    public private(set) var versions = 0

    private init(seed: UInt64, recipe: Recipe, directory: String) throws {
        self.seed = seed
        self.recipe = recipe
        random = SimulatedFolderRandom(seed: seed)
        let disagrees = random.oneIn(2)
        let brokenClock = random.oneIn(3) ? Int.random(in: 0..<recipe.devices, using: &random) : nil
        let brokenBy = random.oneIn(2) ? SimulatedFolderClock.fiftyYears : -SimulatedFolderClock.fiftyYears
        let drafter = random.oneIn(5) ? Int.random(in: 0..<recipe.devices, using: &random) : nil
        reader = random.oneIn(4) ? Int.random(in: 0..<recipe.devices, using: &random) : nil
        let arbiters: [any MergeArbiter] = [
            MostRecentChangeArbiter(), SimulatedFolderArbiter.first, SimulatedFolderArbiter.second,
            SimulatedFolderArbiter.removal, SimulatedFolderArbiter.mixture, MostRecentBranchArbiter(),
        ].shuffled(using: &random)
        var devices: [SimulatedFolderDevice] = []
        for index in 0..<recipe.devices {
            let replica = SimulatedFolderTree("\(directory)/replica\(index)")
            if let first = devices.first {
                try replica.make(copying: first.replica)
            }
            devices.append(
                try SimulatedFolderDevice(
                    "device \(index)", replica: replica.path,
                    storePath: recipe.onDisk ? "\(directory)/store\(index)" : nil, creating: index == 0,
                    arbiter: disagrees ? arbiters[index % arbiters.count] : MostRecentChangeArbiter(),
                    branch: index == drafter ? "draft" : nil, clockOffBy: index == brokenClock ? brokenBy : 0,
                    seed: random.next()))
        }
        self.devices = devices
        courier = Courier(replicas: devices.map(\.replica), seed: random.next())
        others = random.oneIn(4) ? [0: devices[0].secondProcess()] : [:]
        let first = devices[0].replica
        guard let name = try first.list().first, let bytes = try first.read(name) else {
            throw SimulatedFolderFailure("the folder has no card")
        }
        card = (name, bytes)
        if let reader { devices[reader].mortality.makeReadOnly(devices[reader].replica.path) }
    }

    /// Runs a seed.
    /// - Throws: ``SimulatedFolderFailure`` for a broken promise, with what happened.
    @discardableResult
    public static func run(seed: UInt64, _ recipe: Recipe = Recipe()) async throws -> SimulatedFolder {
        try await SimulatedFolderTree.withDirectory { directory in
            let simulation = try SimulatedFolder(seed: seed, recipe: recipe, directory: directory)
            do {
                for _ in 0..<recipe.steps { try await simulation.step() }
                try await simulation.settle()
                try simulation.check()
            } catch {
                let story = (simulation.log + [""]).suffix(60).joined(separator: "\n  ")
                throw SimulatedFolderFailure("\(error)\n  \(story)")
            }
            return simulation
        }
    }
}

// MARK: - While things go wrong

extension SimulatedFolder {
    private func note(_ what: String) {
        log += courier.log.dropFirst(courierLines)
        courierLines = courier.log.count
        log.append(what)
    }

    private func step() async throws {
        let index = Int.random(in: 0..<devices.count, using: &random)
        let device = devices[index]
        device.clock.advance(Int64.random(in: 0...600_000, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3 where index != reader: try await edit(device)
        case 0..<6: try courier.disturb()
        case 6 where random.oneIn(2): try await crash(device)
        default: try await pass(index)
        }
    }

    private func edit(_ device: SimulatedFolderDevice) async throws {
        edits += 1
        let old = random.oneIn(4) ? device.seen.randomElement(using: &random) : nil
        let base = try old ?? device.current()
        let count = Int.random(in: 1...3, using: &random)
        var changes: [Value.Change] = []
        for key in ["a", "b", "c", "d", "e", "f"].shuffled(using: &random).prefix(count) {
            let id = try Value.ID(key)
            if random.oneIn(4) {
                if try device.store.reference(of: id, at: base) != nil { changes.append(.remove(id)) }
            } else {
                changes.append(.insert(Value(id: id, bytes: content())))
            }
        }
        let version = try await device.save(changes, basedOn: old)
        note("\(device.name) saves \(version.id) on \(base)")
    }

    private func content() -> [UInt8] {
        // The same content now and then: edits back, and the same edit on two devices.
        if random.oneIn(4) { return Array("same \(Int.random(in: 0..<3, using: &random))".utf8) }
        if recipe.hasHugeValues, random.oneIn(12) { return random.bytes((8 << 20) + 70_000) }
        if random.oneIn(15) { return random.bytes(Int.random(in: 16_000...40_000, using: &random)) }
        return Array("edit \(edits) of seed \(seed)".utf8)
    }

    private func pass(_ index: Int) async throws {
        let device = devices[index]
        let (exchange, coordinator) =
            others[index].map { random.oneIn(2) ? $0 : (device.exchange, device.coordinator) }
            ?? (device.exchange, device.coordinator)
        do {
            let outcome = try await device.pass(exchange, coordinator)
            note(
                "\(device.name) syncs: \(outcome.report.imported) in, \(outcome.report.sent) out, "
                    + "\(outcome.merge.made) made, \(outcome.report.restored) restored, at \(outcome.current)")
        } catch let error as FolderSyncError where Self.areExpected.contains(error.code) {
            note("\(device.name) cannot sync: \(error.code.rawValue)")
        }
    }

    /// What a pass may say while the folder is away or its card is spoiled.
    private static let areExpected: Set<FolderSyncError.Code> = [
        .folderMissing, .folderEmptyOrUnmounted, .cardArriving, .cardDamaged,
    ]

    private func crash(_ device: SimulatedFolderDevice) async throws {
        let call = Int.random(in: 1...150, using: &random)
        device.mortality.die(atCall: call)
        do {
            try await device.pass()
        } catch  where device.mortality.isDead {
            note("\(device.name) died in a pass at call \(call)")
        } catch let error as FolderSyncError where Self.areExpected.contains(error.code) {}
        try device.reopen()
    }
}

// MARK: - When the faults are over

extension SimulatedFolder {
    private func settle() async throws {
        note("the faults stop")
        try courier.heal()
        for replica in courier.replicas where try replica.read(card.name) != card.bytes {
            try replica.write(card.bytes, to: card.name)
        }
        try courier.syncAll()
        var known = try everyVersion()
        var quiet = 0
        var round = 0
        // Either each sees what those before it did, or all work at once on what the last round left.
        let together = seed.isMultiple(of: 2)
        while quiet < 3 {
            round += 1
            let before = try devices.map { try $0.replica.looks() }
            for index in devices.indices.shuffled(using: &random) {
                devices[index].clock.advance(Int64.random(in: 0...600_000, using: &random))
                let outcome = try await devices[index].pass()
                note(
                    "round \(round): \(devices[index].name) syncs: \(outcome.report.imported) in, \(outcome.report.sent) out, "
                        + "\(outcome.merge.made) made, at \(outcome.current), \(outcome.report.restored) restored")
                if !together { try courier.syncAll() }
            }
            if together { try courier.syncAll() }
            let now = try everyVersion()
            if now == known {
                quiet += 1
            } else {
                quiet = 0
                rounds = round
            }
            known = now
            if rounds > 4 { throw SimulatedFolderFailure("round \(round) still made new versions") }
            if quiet > 1 {
                let after = try devices.map { try $0.replica.looks() }
                if after != before { throw SimulatedFolderFailure("an idle round wrote files") }
            }
        }
    }

    private func everyVersion() throws -> Set<[UInt8]> {
        try devices.reduce(into: []) { $0.formUnion(try $1.everyVersion()) }
    }

    private func check() throws {
        let first = devices[0]
        let heads = try first.store.heads().map(\.id)
        let promised = devices.flatMap(\.acknowledged)
        versions = try first.store.versionCount()
        for device in devices {
            func fail(_ what: String) -> SimulatedFolderFailure { SimulatedFolderFailure("\(device.name): \(what)") }
            for id in promised where try device.store.state(of: id) != .firm { throw fail("version \(id) is lost") }
            if try device.store.heads().map(\.id) != heads { throw fail("its heads are not those of \(first.name)") }
            let findings = try device.store.verify()
            if !findings.isEmpty { throw fail("its store is not sound: \(findings)") }
            let verification = try FolderVerification(of: device.replica.path)
            if !verification.isClean {
                throw fail("its folder is not sound: \(verification.problems) \(verification.waiting)")
            }
            for peer in devices where peer.branch == device.branch {
                if try peer.current() != device.current() { throw fail("its current version is not \(peer.name)'s") }
                let digests = try [peer, device].map { try $0.store.digest(at: $0.current()) }
                if digests[0] != digests[1] { throw fail("its digest is not \(peer.name)'s") }
                if try peer.values() != device.values() { throw fail("its values are not \(peer.name)'s") }
            }
        }
    }
}
