import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Tokens of subscriptions", .serialized, .timeLimit(.minutes(20)))
struct WatchTokenTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What a new process would be told, by kinds of paths.
    private func told(since token: WatchToken) async throws -> [String: WatchEvent.Kind] {
        let watcher = DirectoryWatcher(folder.path)
        let subscription = watcher.subscribe(since: try WatchToken(decoding: token.encoded))
        await watcher.start()
        let end = try folder.write("x", to: "end")
        var kinds: [String: WatchEvent.Kind] = [:]
        for await batch in subscription {
            for event in batch { kinds[event.path] = event.kind }
            if kinds[end] != nil { break }
        }
        try LocalFileSystem().removeFile(end)
        kinds[end] = nil
        return kinds
    }

    private func drain(_ subscription: WatchSubscription, until path: String) async {
        for await batch in subscription where batch.contains(where: { $0.path == path }) { return }
    }

    @Test
    func whatChangedWhileNobodyWatchedIsTold() async throws {
        let (kept, changed, gone) = (
            try folder.write("1", to: "kept"), try folder.write("1", to: "changed"), folder("d/x")
        )
        try folder.makeFolder("d")
        try folder.write("1", to: "d/x")
        let watcher = DirectoryWatcher(folder.path)
        let subscription = watcher.subscribe()
        let last = folder("last")
        async let drained: Void = drain(subscription, until: last)
        await watcher.start()
        try folder.write("1", to: "last")
        await drained
        let token = try await subscription.token()
        watcher.stop()
        try folder.write("22", to: "changed")
        try LocalFileSystem().removeFile(gone)
        let new = try folder.write("1", to: "d/new")
        let told = try await told(since: token)
        #expect(told[changed] == .modified && told[gone] == .removed && told[new] == .created)
        // Written within a tick of the file system's clock before it was looked at, it may have changed without a trace.
        #expect(told[kept] == nil || told[kept] == .modified)
    }

    @Test
    func whatWaitedWhenTheTokenWasTakenIsToldAgain() async throws {
        let watcher = DirectoryWatcher(folder.path)
        let (reader, slow) = (await WatchRecorder(watcher), watcher.subscribe())
        let file = try folder.write("1", to: "f")
        #expect(await reader.hears(of: [file]))
        // The slow one took nothing of it.
        let token = try await slow.token()
        watcher.stop()
        #expect(try await told(since: token)[file] != nil)
    }

    @Test
    func aCollapsedFolderIsReadAgainAfterTheRestart() async throws {
        try folder.makeFolder("d")
        var options = WatchOptions()
        options.backlogLimit = 3
        let watcher = DirectoryWatcher(folder.path, options: options)
        let (reader, slow) = (await WatchRecorder(watcher), watcher.subscribe())
        let files = try (0..<10).map { try folder.write("1", to: "d/\($0)") }
        // The last one was put into both backlogs, or the reader's is full, and then so is the other.
        let isFull = await eventually { reader.events.contains { $0.path == files[9] || $0.kind == .rescan(.backlog) } }
        #expect(isFull)
        let token = try await slow.token()
        watcher.stop()
        #expect(try await told(since: token)[folder("d")] == .rescan(.backlog))
    }

    @Test
    func aSubscriberWithATokenIsNotToldToReadEverything() async throws {
        let watcher = DirectoryWatcher(folder.path)
        let first = watcher.subscribe()
        let token = try await first.token()
        let second = watcher.subscribe(since: token)
        let file = try folder.write("1", to: "f")
        var iterator = second.makeAsyncIterator()
        #expect(await iterator.next()?.map(\.path) == [file])
        // As a stream of URLs as well.
        var changes = watcher.changes(since: token).makeAsyncIterator()
        #expect(await changes.next()?.map(\.path) == [file])
        var events = watcher.events(since: token).makeAsyncIterator()
        #expect(await events.next()?.map(\.path) == [file])
    }

    @Test
    func afterTheEndNobodyKnowsWhatWasMissed() async throws {
        let watcher = DirectoryWatcher(folder.path)
        let (cancelled, other) = (watcher.subscribe(), watcher.subscribe())
        await watcher.start()
        cancelled.cancel()
        await #expect(throws: FileCoordinationError.self) { try await cancelled.token() }
        watcher.stop()
        await #expect(throws: FileCoordinationError.self) { try await other.token() }
        await #expect(throws: FileCoordinationError.self) { try await watcher.subscribe().token() }
    }
}
