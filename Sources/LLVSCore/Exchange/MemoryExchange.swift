import FileCoordination
import Synchronization

/// Exchanges versions between stores of one process: for tests, previews and demonstrations.
///
/// Every store has an exchange of its own, and all of them meet in one ``Hub``. `init` starts nothing.
public actor MemoryExchange: Exchange {
    /// Where exchanges meet: every version that any of them sent, as long as it lives. Values over 1 MiB are not copied: they
    /// are read from the store that sent them, which must not be closed before.
    public final class Hub: Sendable {
        fileprivate let parcels = Mutex<(list: [Parcel], ids: Set<Version.ID>)>(([], []))

        /// An empty one.
        public init() {}

        /// How many versions were sent.
        public var count: Int { parcels.withLock { $0.list.count } }

        fileprivate func add(_ parcel: Parcel) -> Bool {
            parcels.withLock { parcels in
                guard parcels.ids.insert(parcel.record.id).inserted else { return false }
                parcels.list.append(parcel)
                return true
            }
        }
    }

    /// What a call did.
    public struct Report: ExchangeReport, Hashable {
        /// Versions added to the store.
        public var imported = 0
        /// Versions sent.
        public var sent = 0
        /// Always: what was sent is here.
        public var isComplete: Bool { true }
        /// Never: parents are sent before children.
        public var isAwaitingAnnounced: Bool { false }
    }

    fileprivate struct Parcel {
        let record: VersionRecord
        let contents: [Value.ID: Value.Content]
    }

    /// The store.
    public nonisolated let store: Store
    private let hub: Hub
    private let clock: @Sendable () -> Int64
    private var received = 0
    private var scanned: Int64 = 0
    private nonisolated let executor = BlockingExecutor(label: "MemoryExchange")

    /// The queue it runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// An exchange of the store with all others that use the hub.
    /// - Parameter clock: milliseconds since 1970.
    public init(store: Store, hub: Hub, clock: @escaping @Sendable () -> Int64 = Store.wallClock) {
        self.store = store
        self.hub = hub
        self.clock = clock
    }

    /// Adds every version that others have sent since the last call.
    public func retrieve() throws -> Report {
        var report = Report()
        let new = hub.parcels.withLock { Array($0.list.dropFirst(received)) }
        for parcel in new {
            let isNew = try store.exchange(now: clock()) { transaction in
                if try transaction.view.state(of: parcel.record.id) == .firm { return false }
                try transaction.admit(
                    ArrivingVersion(record: parcel.record) { entry in
                        guard let content = parcel.contents[entry.id] else {
                            throw StoreError.damagedRecord("a change list")
                        }
                        return content
                    })
                return true
            }
            received += 1
            if isNew { report.imported += 1 }
        }
        return report
    }

    /// Sends every firm version that nobody has sent, parents first.
    public func send() throws -> Report {
        var report = Report()
        try store.inspect { view in
            try view.forEachFirm(from: scanned + 1) { number, outgoing in
                if hub.add(try Self.parcel(outgoing)) { report.sent += 1 }
                scanned = number
                return true
            }
        }
        return report
    }

    private static func parcel(_ outgoing: OutgoingVersion) throws -> Parcel {
        let record = try VersionRecord(
            decodingHeader: outgoing.headerBytes, changes: try outgoing.changesBytes(), id: outgoing.id,
            allowingForeign: true)
        var contents: [Value.ID: Value.Content] = [:]
        let stored = record.changes.entries.filter { [.insert, .update].contains($0.operation) }
        for (index, entry) in stored.enumerated() {
            contents[entry.id] = try outgoing.body(index, hash: entry.contentHash)
        }
        return Parcel(record: record, contents: contents)
    }
}
