import FileCoordination
import FolderSync
import LLVSCore
import Synchronization

/// Wakes a mirror, and has for it what the exchange is doing.
final class MirrorLink: Sendable {
    let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation
    private let isDirty = Mutex(true)
    private let state = Mutex<FolderSyncService.State?>(nil)

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

    func tell(_ new: FolderSyncService.State) {
        switch new {
        case .following, .offline: state.withLock { $0 = new }
        case .working, .stopped: return
        }
        wake()
    }

    var latest: FolderSyncService.State? { state.withLock { $0 } }
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
            timing: FolderSyncService.Timing(firstRetry: .seconds(2), longestRetry: .seconds(30)),
            onState: { link.tell($0) })
        output.onReaderGone { [watcher] in watcher.stop() }
        // Before the first look: what comes during it is told.
        await watcher.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in changes { link.wakeForDirectory() } }
            group.addTask { try await service.run() }
            group.addTask {
                try await ThreadExecutor.run(named: "mirror") { try await self.rounds(link, service) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        try Task.checkCancellation()
    }

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
        let state = link.latest
        try show(state, printer, &shown)
        // Without a change in the directory only the exports look at it, and they overwrite nothing that is not known.
        if link.takeDirty() {
            let imported = try await mirror.importChanges()
            try print(imported, by: printer)
            if !imported.isEmpty { service.wake() }
            shown.isResting = imported.deferred.isEmpty
            if !shown.isResting { link.wakeForDirectory(after: Self.settle) }
        }
        let isExported = try await export(mirror, printer, link, &shown)
        guard isExported, shown.isResting, case .following(let outcome) = state,
            outcome.current == mirror.held, outcome.sendFailure == nil, shown.settled != mirror.held
        else { return }
        shown.settled = mirror.held
        try printer.print([.settled(mirror.held, open.names)])
    }

    private func show(
        _ state: FolderSyncService.State?, _ printer: MirrorPrinter, _ shown: inout Shown
    ) throws {
        switch state {
        case .offline(let reason, _):
            if !shown.isOffline { try printer.print([.offline(reason)]) }
            shown.isOffline = true
        case .following(let outcome):
            if shown.isOffline { try printer.print([.online]) }
            shown.isOffline = false
            try print(outcome, by: printer)
        case .working, .stopped, nil: break
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
