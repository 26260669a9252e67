import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Subscriptions of a watcher", .serialized, .timeLimit(.minutes(20)))
struct WatchSubscriptionTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var started: [WatchEvent] { [WatchEvent(.rescan(.started), path: folder.path, isDirectory: true)] }

    @Test
    func everySubscriberIsToldEverything() async throws {
        let watcher = DirectoryWatcher(folder.path)
        let recorders = [await WatchRecorder(watcher), await WatchRecorder(watcher), await WatchRecorder(watcher)]
        let files = try (0..<20).map { try folder.write("x", to: "\($0)") }
        for recorder in recorders { #expect(await recorder.hears(of: files)) }
        watcher.stop()
        for recorder in recorders { #expect(await eventually { recorder.ended }) }
    }

    @Test
    func aLateSubscriberIsToldWhatChangesFromThenOn() async throws {
        let watcher = DirectoryWatcher(folder.path)
        let early = await WatchRecorder(watcher)
        let before = try folder.place("x", at: "before")
        #expect(await early.hears(of: [before]))
        var late = watcher.subscribe().makeAsyncIterator()
        #expect(await late.next() == started)
        let after = try folder.place("x", at: "after")
        #expect(await late.next() == [WatchEvent(.created, path: after, isDirectory: false)])
        watcher.stop()
        #expect(await late.next() == nil)
        #expect(await watcher.subscribe().makeAsyncIterator().nextOnce() == nil)
    }

    @Test
    func cancellationEndsOneSubscriptionOnly() async throws {
        let watcher = DirectoryWatcher(folder.path)
        let (first, second) = (await WatchRecorder(watcher), await WatchRecorder(watcher))
        first.cancel()
        #expect(await eventually { first.ended && watcher.core.subscriptionCount == 1 })
        let file = try folder.write("x", to: "f")
        #expect(await second.hears(of: [file]))
        #expect(!second.ended && watcher.status.phase == .watching)
    }

    @Test
    func aSubscriptionThatIsLetGoHoldsNothing() async throws {
        let watcher = DirectoryWatcher(folder.path)
        await watcher.start()
        for _ in 0..<300 {
            let subscription = watcher.subscribe()
            _ = await subscription.makeAsyncIterator().nextOnce()
        }
        for _ in 0..<100 {
            for await _ in watcher.events { break }
            for await _ in watcher.subscribe() { break }
        }
        #expect(watcher.core.subscriptionCount == 0)
        // Cancelled ones hold nothing even while they are held.
        let held = (0..<1000).map { _ in watcher.subscribe() }
        #expect(watcher.core.subscriptionCount == 1000)
        for subscription in held { subscription.cancel() }
        #expect(watcher.core.subscriptionCount == 0)
        for subscription in held { #expect(await subscription.makeAsyncIterator().nextOnce() == nil) }
        let file = try folder.write("x", to: "f")
        let slow = watcher.subscribe()
        watcher.core.tell((0..<20_000).map { WatchEvent(.created, path: "\(file)/\($0)", isDirectory: false) })
        #expect(slow.backlog <= watcher.core.options.backlogLimit + 1)
        watcher.stop()
    }

    @Test
    func theWatchLivesAsLongAsTheWatcherOrASubscriptionIsHeld() async throws {
        weak var gone: DirectoryWatcher?
        var subscription: WatchSubscription?
        do {
            let watcher = DirectoryWatcher(folder.path)
            gone = watcher
            await watcher.start()
            subscription = watcher.subscribe()
        }
        #expect(gone != nil)
        let core = gone?.core
        var iterator = subscription?.makeAsyncIterator()
        subscription = nil
        #expect(await iterator?.next() == started)
        let file = try folder.write("x", to: "f")
        #expect(await iterator?.next()?.map(\.path) == [file])
        iterator = nil
        #expect(gone == nil)
        #expect(await eventually { core?.status.phase == .stopped })
    }

    @Test
    func theEndIsAtOnceForAThousandSubscribersThatWait() async throws {
        let watcher = DirectoryWatcher(folder.path)
        await watcher.start()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 {
                let subscription = watcher.subscribe()
                group.addTask { for await _ in subscription {} }
            }
            group.addTask { watcher.stop() }
        }
        #expect(watcher.core.subscriptionCount == 0)
    }

    @Test
    func aConsumerThatStopsTheWatchWhileFilesAreWrittenIsNotHeldUp() async throws {
        let watcher = DirectoryWatcher(folder.path)
        await watcher.start()
        var iterator = watcher.subscribe().makeAsyncIterator()
        // They are written on and on until the end was seen.
        let isOver = Shared(false)
        async let writing: Void = onOwnThread { [folder] in
            var number = 0
            while !isOver.value {
                try folder.write("x", to: "\(number % 1000)")
                number += 1
            }
        }
        for _ in 0..<2 { _ = await iterator.next() }
        watcher.stop()
        #expect(await iterator.next() == nil)
        isOver.change { $0 = true }
        try await writing
    }
}

extension WatchSubscription.AsyncIterator {
    /// A turn without a variable.
    fileprivate func nextOnce() async -> [WatchEvent]? {
        var copy = self
        return await copy.next()
    }
}
