import FileCoordination
import FolderSync
import LLVSCore
import Synchronization

/// Wakes a mirror, and has for it what the exchange is doing.
final class MirrorLink: Sendable {
    let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation
    private let isDirty = Mutex(true)
    private let state = Mutex<(connection: ConnectionState?, outcome: PassOutcome?)>((nil, nil))

    init() { (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func wake() { waker.yield() }

    /// So that the directory is looked at.
    func wakeForDirectory() {
        isDirty.withLock { $0 = true }
        waker.yield()
    }

    func wakeForDirectory(after pause: Duration) {
        Task {
            // Cancelled or not: one more look does no harm.
            do { try await Task.sleep(for: pause) } catch {}
            wakeForDirectory()
        }
    }

    /// Whether the directory is to be looked at; it is taken to be done.
    func takeDirty() -> Bool {
        isDirty.withLock { isDirty in
            defer { isDirty = false }
            return isDirty
        }
    }

    func tell(_ new: ConnectionState) {
        switch new {
        case .following, .offline, .needsBootstrap: state.withLock { $0.connection = new }
        case .connecting, .stopped: return
        }
        wake()
    }

    func tell(_ outcome: PassOutcome) {
        state.withLock { $0.outcome = outcome }
        wake()
    }

    var connection: ConnectionState? { state.withLock { $0.connection } }
    /// What the last pass did.
    var outcome: PassOutcome? { state.withLock { $0.outcome } }
}

extension MirrorRun {
    /// After an export that a file system refused, and for what cannot be written now.
    private static let retry = Duration.seconds(30)

    /// Keeps the directory in step until the task is cancelled; then what it holds is saved.
    /// - Throws: What only a person can resolve: a directory that is not there, another store's folder.
    func follow() async throws {
        let link = MirrorLink()
        let watcher = DirectoryWatcher(place.directory.text, options: filter.watchOptions)
        defer { watcher.stop() }
        let changes = watcher.events
        let exchange = FolderExchange(store: open.store, attachment: attachment)
        if try makeMirror().isNew { _ = try await exchange.pass(open.coordinator) }
        let service = FolderSyncService(
            coordinator: open.coordinator, exchange: exchange,
            timing: FolderSyncService.Timing(firstRetry: .seconds(2), longestRetry: .seconds(30)))
        let (states, passes) = (service.states, service.passes)
        output.onReaderGone { [watcher] in watcher.stop() }
        // Before the first look: what comes during it is told.
        await watcher.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in changes { link.wakeForDirectory() } }
            group.addTask {
                for await pass in passes { link.tell(pass) }
                try await Self.untilCancelled()
            }
            group.addTask {
                for await state in states { link.tell(state) }
                try await Self.untilCancelled()
            }
            group.addTask { try await service.run() }
            group.addTask {
                try await ThreadExecutor.run(named: "mirror") { try await self.rounds(link, service) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        try Task.checkCancellation()
    }

    /// Streams of a service end before what ended them is thrown.
    private static func untilCancelled() async throws { try await Task.sleep(for: .seconds(Int64.max >> 4)) }

    private func rounds(_ link: MirrorLink, _ service: FolderSyncService) async throws {
        let mirror = try makeMirror()
        let printer = try makePrinter()
        var shown = Shown()
        link.wake()
        do {
            for await _ in link.wakes { try await round(mirror, printer, link, service, &shown) }
        } catch is CancellationError {
            // Told to stop: what is there is saved below.
        }
        guard mirror.hasImported else { return }
        try print(try await mirror.importChanges(isLast: true), by: printer)
    }

    /// What was seen and said already.
    private struct Shown {
        var isOffline = false
        /// Files that could not be exported because they were not as they were imported.
        var changed: [String] = []
        /// Whether no file of the directory seemed to be in the middle of being written.
        var isResting = true
        var settled: Version.ID?
    }

    private func round(
        _ mirror: Mirror, _ printer: MirrorPrinter, _ link: MirrorLink, _ service: FolderSyncService,
        _ shown: inout Shown
    ) async throws {
        let (connection, outcome) = (link.connection, link.outcome)
        try show(connection, outcome, printer, &shown)
        // Without a change in the directory only the exports look at it, and they overwrite nothing that is not known.
        if link.takeDirty() {
            let imported = try await mirror.importChanges()
            try print(imported, by: printer)
            if !imported.isEmpty { service.wake() }
            shown.isResting = imported.deferred.isEmpty
            if !shown.isResting { link.wakeForDirectory(after: Self.settle) }
        }
        let isExported = try await export(mirror, printer, link, &shown)
        guard isExported, shown.isResting, connection == .following, let outcome,
            outcome.current == mirror.held, outcome.sendFailure == nil, shown.settled != mirror.held
        else { return }
        shown.settled = mirror.held
        try printer.print([.settled(mirror.held, open.names)])
    }

    private func show(
        _ connection: ConnectionState?, _ outcome: PassOutcome?, _ printer: MirrorPrinter, _ shown: inout Shown
    ) throws {
        switch connection {
        case .offline(let reason, _):
            if !shown.isOffline { try printer.print([.offline(reason)]) }
            shown.isOffline = true
        case .following, .needsBootstrap:
            if shown.isOffline { try printer.print([.online]) }
            shown.isOffline = false
            if let outcome { try print(outcome, by: printer) }
        case .connecting, .stopped, nil: break
        }
    }

    /// Returns whether the directory is now as the current version has it. A disk that is full or read-only is tried again.
    private func export(
        _ mirror: Mirror, _ printer: MirrorPrinter, _ link: MirrorLink, _ shown: inout Shown
    ) async throws -> Bool {
        do {
            guard let exported = try await mirror.export() else { return true }
            try print(exported, by: printer)
            if !exported.export.changed.isEmpty {
                // What an import does not mend, like two spellings of one name, is not tried all the time.
                let isMended = exported.export.changed != shown.changed
                link.wakeForDirectory(after: isMended ? Self.settle : Self.retry)
            }
            shown.changed = exported.export.changed
            if !exported.export.left.isEmpty { link.wakeForDirectory(after: Self.retry) }
            return exported.export.changed.isEmpty && exported.export.left.isEmpty
        } catch let error as FileCoordinationError {
            try printer.print("left", [SkippedItem(file: error.path, reason: "\(error.what); \(error.remedy)")])
            link.wakeForDirectory(after: Self.retry)
            return false
        }
    }
}
