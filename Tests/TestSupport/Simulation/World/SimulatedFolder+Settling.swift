import FolderSync
import LLVSCore

/// When the faults are over.
extension SimulatedFolder {
    /// Everything is delivered and everybody syncs, in random order, until a round brought nothing new; then one more, in which
    /// nobody may write or open anything.
    func settle() async throws {
        note("the faults stop")
        for (number, courier) in couriers.enumerated() {
            try courier.heal(keeping: try orphans(of: number))
            for replica in courier.replicas where try replica.read(cards[number].name) != cards[number].bytes {
                try replica.write(cards[number].bytes, to: cards[number].name)
            }
            try courier.syncAll()
        }
        var random = SimulatedFolderRandom(seed: script.setup.names &+ UInt64(script.steps.count))
        var isIdle = false
        for round in 1... {
            let before = (versions: try versionsOfDevices(), looks: try looks())
            try await makeRound(round, isIdle, &random)
            let after = (versions: try versionsOfDevices(), looks: try looks())
            if Set(before.versions.joined()) != Set(after.versions.joined()) { rounds = round }
            if rounds > mostRounds { throw SimulatedFolderFailure("round \(round) still made new versions") }
            let isQuiet = before == after
            if isIdle, !isQuiet { throw SimulatedFolderFailure("an idle round wrote files") }
            if isIdle { return }
            isIdle = isQuiet
            if round > 2 * mostRounds + 2 { throw SimulatedFolderFailure("it does not come to rest") }
        }
    }

    /// What has to cross a second folder needs twice as many. Who follows a branch that others do not decides once more when the
    /// others have, and a second one who follows it hears of that a round later.
    private var mostRounds: Int {
        couriers.count * 3 + (script.setup.drafter == nil ? 0 : 1) + (script.setup.follower == nil ? 0 : 1)
    }

    private func makeRound(_ round: Int, _ isIdle: Bool, _ random: inout SimulatedFolderRandom) async throws {
        note("round \(round)")
        for index in devices.indices.shuffled(using: &random) {
            devices[index].clock.advance(Int64.random(in: 0...600_000, using: &random))
            try await sync(index)
            if !script.setup.settlesTogether { for courier in couriers { try courier.syncAll() } }
            if isIdle { try checkIdle(index) }
            try checkStep()
        }
        if script.setup.settlesTogether { for courier in couriers { try courier.syncAll() } }
    }

    /// Nothing but the card is read where nothing is new.
    ///
    /// Three things are read at every pass: what a twin wrote in the lane, until the device has a lane of its own; pieces under
    /// a stranger's name; and files whose bytes are wrong, as of a lane that twins have left, since they may become right.
    private func checkIdle(_ index: Int) throws {
        let device = devices[index]
        let lanes = twins.contains(index) ? device.memberships.map(\.exchange.attachment.lane.description) : []
        let opened = try device.mortality.opened.filter { path in
            let parts = path.split(separator: "/").map(String.init)
            let name = parts.last ?? path
            if case .stranger = FolderFileName(name), name.contains("v-") { return false }
            if name.hasSuffix(".store") || lanes.contains(parts[0]) { return false }
            return try device.memberships.contains { member in
                guard let bytes = try member.replica.read(path) else { return false }
                return FolderFile.decode(bytes).verified != nil
            }
        }
        guard opened.isEmpty else {
            throw SimulatedFolderFailure("\(device.name) opened files in an idle pass: \(opened)")
        }
    }

    /// Files that no device would write again, since the store that wrote them took another lane or was restored: the carrier
    /// has them still.
    private func orphans(of courier: Int) throws -> [String: [UInt8]] {
        let lanes = twins.reduce(into: left) { $0.formUnion(devices[$1].ledger.lanes) }
        var caredFor: Set<String> = []
        for device in devices {
            try device.store.storage.read { reader in
                // Keys begin with 16 bytes that name the attachment.
                try reader.scan(KeyedZone("f_own"), from: [], before: nil) { key, _ in
                    caredFor.insert(String(decoding: key.dropFirst(16), as: UTF8.self))
                    return true
                }
            }
        }
        var kept: [String: [UInt8]] = [:]
        for (name, file) in written where file.courier == courier && !file.isRemovedByOwner {
            if caredFor.contains(name) || !lanes.contains(String(name.prefix { $0 != "/" })) { continue }
            kept[name] = file.bytes
            let isThere = try couriers[courier].replicas.contains { try $0.read(name) == file.bytes }
            if !isThere { keptFiles += 1 }
        }
        return kept
    }

    private func versionsOfDevices() throws -> [Set<[UInt8]>] { try devices.map { try $0.everyVersion() } }

    private func looks() throws -> [[String: [Int64]]] {
        try couriers.flatMap(\.replicas).map { try $0.looks() }
    }
}

/// What is promised then.
extension SimulatedFolder {
    /// Equal heads, currents, digests and values; sound stores and folders; passes that do nothing where there is nothing
    /// to do.
    func checkEnd() throws {
        let first = devices[0]
        let heads = try first.store.heads().map(\.id)
        let promised = Set(devices.flatMap(\.acknowledged))
        versions = try first.store.versionCount()
        for device in devices {
            func fail(_ what: String) -> SimulatedFolderFailure { SimulatedFolderFailure("\(device.name): \(what)") }
            for id in promised where try device.store.state(of: id) != .firm { throw fail("version \(id) is lost") }
            if try device.store.heads().map(\.id) != heads { throw fail("its heads are not those of \(first.name)") }
        }
        try checkCurrents()
        try checkSoundness()
    }

    /// Of one device's store, another for each script, and of one replica of each folder: they are all the same by now.
    private func checkSoundness() throws {
        let device = devices[Int(script.setup.names % UInt64(devices.count))]
        let findings = try device.store.verify()
        if !findings.isEmpty { throw SimulatedFolderFailure("\(device.name): its store is not sound: \(findings)") }
        for replica in couriers.map({ $0.replicas[0] }) {
            let verification = try FolderVerification(of: replica.path, files: replica.files)
            let unsound = (verification.problems + verification.waiting).filter { isWrittenAgain($0.file) }
            // Nothing is lost where others have the same entries, but whoever writes there takes such away.
            let spoiled = verification.findings.filter { $0.kind == .duplicate && isTakenAway($0.file) }
            if !spoiled.isEmpty { throw SimulatedFolderFailure("what is spoiled stays: \(spoiled)") }
            if !unsound.isEmpty { throw SimulatedFolderFailure("a folder is not sound: \(unsound)") }
        }
    }

    /// Not where twins have left their lane before a spoiled file of it was seen: what was in it, they have sent elsewhere.
    private func isWrittenAgain(_ file: String) -> Bool {
        let lane = String(file.prefix { $0 != "/" })
        let wasTwins = twins.contains { devices[$0].ledger.lanes.contains(lane) }
        return !wasTwins || isWritten(lane)
    }

    private func isWritten(_ lane: String) -> Bool {
        devices.contains { $0.memberships.contains { "\($0.exchange.attachment.lane)" == lane } }
    }

    /// A file of entries in a lane that a device writes.
    private func isTakenAway(_ file: String) -> Bool {
        let parts = file.split(separator: "/").map(String.init)
        guard parts.count == 2, case .entries = FolderFileName(parts[1]) else { return false }
        return isWritten(parts[0])
    }

    /// Devices that follow the same branches show the same.
    private func checkCurrents() throws {
        for (index, device) in devices.enumerated() {
            let peer = devices[..<index].first {
                $0.branch == device.branch && $0.design.selecting == device.design.selecting
            }
            guard let peer else { continue }
            func fail(_ what: String) -> SimulatedFolderFailure { SimulatedFolderFailure("\(device.name): \(what)") }
            if try peer.current() != device.current() { throw fail("its current version is not \(peer.name)'s") }
            let digests = try [peer, device].map { try $0.store.digest(at: $0.current()) }
            if digests[0] != digests[1] { throw fail("its digest is not \(peer.name)'s") }
            if try !peer.showsSameValues(as: device) { throw fail("its values are not \(peer.name)'s") }
        }
    }
}
