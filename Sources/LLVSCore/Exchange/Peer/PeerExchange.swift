import FileCoordination

/// Exchanges versions with one other store over a transport, such as a session of the local network.
///
/// Both sides have one. While ``run()`` runs it answers the peer and takes in what the peer pushes; a version that comes before
/// its parents is held until they come, within bounds, and what is too much is asked for by the next ``retrieve()``. Every
/// version is checked like one from any other foreign place; answers to what nobody asked are ignored. `init` starts nothing.
public actor PeerExchange: Exchange {
    /// What bounds an exchange.
    public struct Limits: Hashable, Sendable {
        /// How long an answer is waited for.
        public var timeout = Duration.seconds(30)
        /// The most versions that are held for their parents.
        public var mostHeldVersions = 1_000
        /// The most bytes that are held so.
        public var mostHeldBytes = 64 << 20
        /// How many ids are asked for at once.
        public var idsAtOnce = 1_000
        /// About how many bytes of versions go into one message; a larger version has one of its own.
        public var bytesAtOnce = 1 << 20

        /// The limits that the properties state.
        public init() {}
    }

    /// The store.
    public nonisolated let store: Store
    private let transport: any PeerTransport
    private let limits: Limits
    private let clock: @Sendable () -> Int64
    private let pause: @Sendable (Duration) async throws -> Void
    private nonisolated let executor = BlockingExecutor(label: "PeerExchange")

    private var requests = PeerRequests()
    private var held: HeldVersions
    private(set) var isRunning = false
    private var pushed = 0
    private var nextTheirs: Int64 = 1
    private var nextMine: Int64 = 1
    /// What the peer is known to have, by its own word or because it was sent.
    private var theirs: Set<Version.ID> = []

    /// The queue it runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// An exchange with the peer at the other end of the transport.
    /// - Parameters:
    ///   - clock: milliseconds since 1970.
    ///   - pause: waits, for time-outs.
    public init(
        store: Store, transport: any PeerTransport, limits: Limits = Limits(),
        clock: @escaping @Sendable () -> Int64 = Store.wallClock,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.store = store
        self.transport = transport
        self.limits = limits
        self.clock = clock
        self.pause = pause
        held = HeldVersions(mostVersions: limits.mostHeldVersions, mostBytes: limits.mostHeldBytes)
    }

    /// Answers the peer until the connection ends or the task is cancelled; call it once. ``retrieve()`` needs it to run.
    ///
    /// Messages that are none are ignored.
    /// - Throws: ``StoreError`` if the store cannot be read or written.
    public func run() async throws {
        isRunning = true
        defer {
            isRunning = false
            requests.failAll(Self.unavailable("the connection to the peer has ended"))
        }
        for await bytes in transport.messages {
            do {
                try await handle(PeerMessage(decoding: bytes))
            } catch let error as StoreError where !error.isOfStorage {
                // A peer's nonsense is no failure of ours; what it lacks it asks for again.
            }
        }
    }

    /// Asks the peer for every version that the store does not have, and adds them.
    /// - Throws: ``StoreError`` with `.peerUnavailable` if the peer does not answer in time or ``run()`` does not run;
    ///   versions added before stay.
    public func retrieve() async throws -> PeerReport {
        guard isRunning else { throw Self.unavailable("the exchange with the peer is not running") }
        var report = PeerReport()
        while true {
            let start = nextTheirs
            guard case .these(_, let next, let ids) = try await ask({ .whichFrom($0, start) }) else {
                throw Self.unexpected()
            }
            theirs.formUnion(ids)
            var lacking = try unknown(ids)
            while !lacking.isEmpty {
                let asked = Array(lacking.prefix(limits.idsAtOnce))
                lacking.removeFirst(asked.count)
                try await fetch(asked, &report)
            }
            // The number goes on only when there are more: what was refused is asked for by the next call.
            if ids.isEmpty || next <= start { break }
            nextTheirs = next
        }
        report.imported += pushed
        pushed = 0
        report.isComplete = report.missing.isEmpty
        if !report.isComplete { nextTheirs = 1 }
        report.isAwaitingAnnounced = !held.isEmpty
        return report
    }

    /// Pushes every firm version that the peer is not known to have, parents first.
    /// - Throws: what the transport throws; the next call goes on.
    public func send() async throws -> PeerReport {
        var report = PeerReport()
        var refused: Set<Version.ID> = []
        while true {
            let (parcels, next) = try batch(from: nextMine, &report, &refused)
            if !parcels.isEmpty {
                try await transport.send(PeerMessage.push(parcels).encoded)
                theirs.formUnion(parcels.map(\.record.id))
                report.sent += parcels.count
            }
            if next == nextMine { break }
            nextMine = next
        }
        return report
    }

    private static func unavailable(_ what: String) -> StoreError {
        StoreError(.peerUnavailable, what, remedy: "connect again, then try again")
    }

    private static func unexpected() -> StoreError {
        StoreError(
            .invalidMessage, "the peer gave an answer to another question", remedy: "update this software on both sides"
        )
    }
}

// MARK: - Asking

extension PeerExchange {
    private func ask(_ message: (UInt64) -> PeerMessage) async throws -> PeerMessage {
        let request = requests.open()
        defer { requests.close(request) }
        try await transport.send(message(request).encoded)
        let timer = Task { [pause, limits] in
            try await pause(limits.timeout)
            self.fail(request, Self.unavailable("the peer does not answer"))
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { requests.wait(for: request, $0) }
        } onCancel: {
            Task { await self.fail(request, CancellationError()) }
        }
    }

    private func fail(_ request: UInt64, _ error: any Error) {
        requests.answer(request, .failure(error))
    }

    private func unknown(_ ids: [Version.ID]) throws -> [Version.ID] {
        try store.inspect { view in try ids.filter { try view.state(of: $0) != .firm } }
    }

    /// Asks for versions until all are there, or an answer brings none of them.
    private func fetch(_ ids: [Version.ID], _ report: inout PeerReport) async throws {
        var asked = ids
        while !asked.isEmpty {
            guard case .here(_, let parcels) = try await ask({ .give($0, asked) }) else { throw Self.unexpected() }
            let given = Dictionary(parcels.map { ($0.record.id, $0) }, uniquingKeysWith: { first, _ in first })
            for id in asked {
                guard let parcel = given[id] else { continue }
                do {
                    report.imported += try take(parcel)
                } catch let error as StoreError where !error.isOfStorage {
                    report.missing[id] = error.what
                }
            }
            let left = asked.filter { given[$0] == nil }
            if left.count == asked.count {
                for id in left { report.missing[id] = "the peer named it and does not give it" }
                return
            }
            asked = left
        }
    }
}

// MARK: - Answering

extension PeerExchange {
    private func handle(_ message: PeerMessage) async throws {
        switch message {
        case .these(let request, _, _), .here(let request, _): requests.answer(request, .success(message))
        case .push(let parcels):
            for parcel in parcels {
                theirs.insert(parcel.record.id)
                do { pushed += try take(parcel) } catch let error as StoreError where !error.isOfStorage {
                    // Refused; a retrieve says why.
                }
            }
        case .whichFrom(let request, let start): try await answer(request, idsFrom: start)
        case .give(let request, let ids): try await answer(request, with: ids)
        }
    }

    private func answer(_ request: UInt64, idsFrom start: Int64) async throws {
        var ids: [Version.ID] = []
        var next = max(start, 1)
        try store.inspect { view in
            try view.forEachFirm(from: next) { number, outgoing in
                ids.append(outgoing.id)
                next = number + 1
                return ids.count < limits.idsAtOnce
            }
        }
        try await reply(.these(request, next: next, ids))
    }

    private func answer(_ request: UInt64, with ids: [Version.ID]) async throws {
        var parcels: [PeerParcel] = []
        var size = 0
        try store.inspect { view in
            for id in ids where id != .root && size < limits.bytesAtOnce {
                guard try view.state(of: id) == .firm, let parcel = try PeerParcel(try view.outgoing(id)) else {
                    continue
                }
                parcels.append(parcel)
                size += parcel.size
            }
        }
        try await reply(.here(request, parcels))
    }

    private func reply(_ message: PeerMessage) async throws {
        do { try await transport.send(message.encoded) } catch {
            // The peer asks again, or the messages end.
        }
    }

    /// The next versions to push, and the number to go on from.
    private func batch(
        from start: Int64, _ report: inout PeerReport, _ refused: inout Set<Version.ID>
    ) throws -> ([PeerParcel], next: Int64) {
        try store.inspect { view in
            var parcels: [PeerParcel] = []
            var (size, next) = (0, start)
            try view.forEachFirm(from: start) { number, outgoing in
                next = number + 1
                if theirs.contains(outgoing.id) { return true }
                if try outgoing.stored.version().parents.allSatisfy({ !refused.contains($0) }),
                    let parcel = try PeerParcel(outgoing)
                {
                    parcels.append(parcel)
                    size += parcel.size
                } else {
                    refused.insert(outgoing.id)
                    report.unsendable.append(outgoing.id)
                }
                return size < limits.bytesAtOnce
            }
            return (parcels, next)
        }
    }

    /// Adds a version, or holds it until its parents come; then those that waited for it. How many were added.
    private func take(_ parcel: PeerParcel) throws -> Int {
        var pending = [parcel]
        var added = 0
        while let parcel = pending.popLast() {
            let id = parcel.record.id
            let isNew = try store.exchange(now: clock()) { transaction -> Bool? in
                let view = transaction.view
                if try view.state(of: id) == .firm { return false }
                guard try parcel.record.version.parents.allSatisfy({ try view.state(of: $0) != nil }) else {
                    return nil
                }
                try transaction.admit(parcel.arrival)
                return true
            }
            guard let isNew else {
                held.hold(parcel)
                continue
            }
            if isNew { added += 1 }
            _ = held.remove(id)
            pending += held.take(childrenOf: id).reversed()
        }
        return added
    }
}
