public import FolderSync
public import LLVSCore

extension SimulatedFolderDevice {
    /// Versions that a save returned: they must never be lost anywhere.
    public var acknowledged: [Version.ID] { ledger.acknowledged }

    /// One whole pass over each of its folders; the outcome of the last.
    @discardableResult
    public func pass() async throws -> PassOutcome {
        var outcome = try await pass(exchange, coordinator)
        for other in memberships.dropFirst() { outcome = try await pass(other.exchange, coordinator) }
        return outcome
    }

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
        if try store.state(of: version.id) == .firm, version.id != .root { ledger.acknowledged.append(version.id) }
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
        if ledger.seen.last != current { ledger.seen.append(current) }
        let count = try store.versionCount()
        if count < ledger.firmCount {
            throw SimulatedFolderFailure("\(name) had \(ledger.firmCount) versions and has \(count)")
        }
        ledger.firmCount = count
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

    /// Whether both show the same values.
    public func showsSameValues(as other: SimulatedFolderDevice) throws -> Bool {
        let (mine, others) = (try values(), try other.values())
        return mine.count == others.count && mine.allSatisfy { $0.value.isSame(as: others[$0.key]) }
    }
}
