import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("DirectoryWatcher: life, limits and fall-backs", .serialized, .timeLimit(.minutes(20)))
struct DirectoryWatcherLifeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    #if os(Linux)
        /// A kernel that watches so many folders and no more, and can be made to lose events.
        private final class LimitedSource: WatchEventSource {
            let base: InotifySource
            let loses: Shared<Bool>
            let fails: Bool
            private var left: Int
            var descriptor: Int32 { base.descriptor }

            init(limit: Int, loses: Shared<Bool>, fails: Bool) throws(Errno) {
                base = try InotifySource()
                self.fails = fails
                left = limit
                self.loses = loses
            }

            func add(_ folder: OpenFile, path: String) throws(Errno) -> Int32 {
                if left <= 0 { throw .noSpace }
                left -= 1
                return try base.add(folder, path: path)
            }

            func remove(_ watch: Int32) { base.remove(watch) }

            func drain() throws(Errno) -> [RawWatchEvent] {
                let events = try base.drain()
                guard loses.value, !events.isEmpty else { return events }
                if fails { throw .badDescriptor }
                return [RawWatchEvent(watch: -1, kind: .overflow)]
            }

            func close() { base.close() }
        }

        private func limited(
            _ limit: Int, loses: Shared<Bool> = Shared(false), fails: Bool = false
        ) async -> WatchRecorder {
            var options = WatchOptions()
            options.pollInterval = .milliseconds(50)
            return await WatchRecorder(
                DirectoryWatcher(folder.path, options: options, files: .local) { () throws(Errno) in
                    try LimitedSource(limit: limit, loses: loses, fails: fails)
                })
        }

        @Test
        func aUsedUpWatchLimitBecomesPollingAndSaysSo() async throws {
            for number in 0..<40 {
                try folder.makeFolder("\(number)")
                try folder.write("1", to: "\(number)/f")
            }
            let recorder = await limited(10)
            guard case .polling(let reason) = recorder.watcher.status.phase else {
                Issue.record("\(recorder.watcher.status)")
                return
            }
            #expect(reason.code == .limitReached)
            #expect(reason.description.contains("max_user_watches"))
            #expect(recorder.watcher.status.watchedFolders == 10)
            #expect(recorder.watcher.status.polledFolders == 31)
            #expect(await recorder.hears(of: [folder.path]))
            #expect(recorder.events.contains { $0.kind == .polling(reason) })
            let files = try (0..<40).map { try folder.write("two", to: "\($0)/f") }
            #expect(await recorder.hears(of: files))
        }

        @Test
        func droppedEventsBecomeARescanThatTellsEverything() async throws {
            try folder.makeFolder("d/e")
            let loses = Shared(true)
            let recorder = await limited(1000, loses: loses)
            let files = try ["a", "d/b", "d/e/c"].map { try folder.write("x", to: $0) }
            try folder.makeFolder("d/new/deep")
            let deep = try folder.write("x", to: "d/new/deep/f")
            #expect(await recorder.hears(of: files + [deep]))
            #expect(await eventually { recorder.last(folder.path) == .rescan(.eventsLost) })
            // The watches are still there.
            loses.change { $0 = false }
            let later = try folder.write("x", to: "d/new/deep/g")
            #expect(await recorder.hears(of: [later]))
            #expect(recorder.watcher.status.overflows > 0)
        }

        @Test
        func aSourceThatFailsMeansPollingAndNoBusyLoop() async throws {
            let recorder = await limited(1000, loses: Shared(true), fails: true)
            let file = try folder.write("x", to: "f")
            #expect(await recorder.hears(of: [file]))
            #expect(await eventually { recorder.watcher.status.polledFolders == 1 })
            #expect(recorder.watcher.status.overflows == 1)
        }

        @Test
        func anOverflowBetweenTwoEventsLeavesBothInPlace() {
            func raw(_ watch: Int32, _ mask: UInt32, _ name: String) -> [UInt8] {
                var bytes: [UInt8] = []
                let padded = name.isEmpty ? [] : Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count)
                for word in [UInt32(bitPattern: watch), mask, 0, UInt32(padded.count)] {
                    withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
                }
                return bytes + padded
            }
            let bytes = raw(1, 0x8, "a") + raw(-1, 0x4000, "") + raw(2, 0x200, "b") + [1, 2, 3]
            var events: [RawWatchEvent] = []
            bytes.withUnsafeBytes { InotifySource.parse($0, into: &events) }
            #expect(
                events == [
                    RawWatchEvent(watch: 1, kind: .entry(name: Array("a".utf8), .closed)),
                    RawWatchEvent(watch: -1, kind: .overflow),
                    RawWatchEvent(watch: 2, kind: .entry(name: Array("b".utf8), .gone)),
                ])
        }

        /// Says before and after its descriptor is given back.
        private final class ClosingSource: WatchEventSource {
            let base: InotifySource
            let before: @Sendable () -> Void
            let after: @Sendable () -> Void
            var descriptor: Int32 { base.descriptor }

            init(before: @escaping @Sendable () -> Void = {}, after: @escaping @Sendable () -> Void = {}) throws(Errno)
            {
                base = try InotifySource()
                (self.before, self.after) = (before, after)
            }

            func add(_ folder: OpenFile, path: String) throws(Errno) -> Int32 { try base.add(folder, path: path) }
            func remove(_ watch: Int32) { base.remove(watch) }
            func drain() throws(Errno) -> [RawWatchEvent] { try base.drain() }

            func close() {
                before()
                base.close()
                after()
            }
        }

        @Test
        func everyDescriptorIsGivenBackHoweverTheWatchEnds() async throws {
            let open = Shared(0)
            let files = FaultyFileSystem()
            try folder.makeFolder("a/b")
            for round in 0..<60 {
                let watcher = DirectoryWatcher(folder.path, options: WatchOptions(), files: files) { () throws(Errno) in
                    let source = try ClosingSource(after: { open.change { $0 -= 1 } })
                    open.change { $0 += 1 }
                    return source
                }
                switch round % 3 {
                case 0:
                    await watcher.start()
                    watcher.stop()
                case 1:
                    let listening = Task { for await _ in watcher.changes {} }
                    #expect(await eventually { watcher.status.phase != .idle })
                    listening.cancel()
                    await listening.value
                default:
                    // Let go of while it runs.
                    await watcher.start()
                }
            }
            #expect(await eventually { open.value == 0 && files.openFiles == 0 })
        }

        @Test
        func iterationStartsTheWatchAndStoppingEndsItAtOnce() async throws {
            let isHeld = Shared(true)
            let watcher = DirectoryWatcher(folder.path, options: WatchOptions(), files: .local) { () throws(Errno) in
                // A kernel that takes its time to take its descriptors back.
                try ClosingSource(before: { while isHeld.value { usleep(1000) } })
            }
            let changes = watcher.changes
            let seen = Task {
                var all: [URL] = []
                for await batch in changes { all += batch }
                return all
            }
            #expect(await eventually { watcher.status.phase == .watching })
            // Nothing of this waits for the descriptors to be given back.
            watcher.stop()
            _ = await seen.value
            await watcher.start()
            #expect(watcher.status.phase == .stopped)
            #expect(isHeld.value)
            isHeld.change { $0 = false }
        }

        @Test
        func aKernelWithoutInstancesLeftMeansPolling() async throws {
            var options = WatchOptions()
            options.pollInterval = .milliseconds(20)
            let recorder = await WatchRecorder(
                DirectoryWatcher(folder.path, options: options, files: .local) { () throws(Errno) in
                    throw .tooManyFiles
                })
            guard case .polling(let reason) = recorder.watcher.status.phase else {
                Issue.record("\(recorder.watcher.status)")
                return
            }
            #expect(reason.errno == .tooManyFiles)
            let file = try folder.write("x", to: "f")
            #expect(await recorder.hears(of: [file]))
        }
    #endif

    @Test
    func pollingSeesEditsOfTheSameSizeWithinASecond() async throws {
        var options = WatchOptions()
        options.pollsOnly = true
        options.pollInterval = .milliseconds(20)
        let path = try folder.write("aaaa", to: "f")
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path, options: options))
        for text in ["bbbb", "cccc", "dddd"] {
            recorder.forget()
            try folder.write(text, to: "f")
            #expect(await recorder.hears(of: [path]))
        }
        try folder.makeFolder("x/y")
        let deep = try folder.write("1", to: "x/y/z")
        #expect(await recorder.hears(of: [deep]))
        try FileManager.default.removeItem(atPath: folder("x"))
        #expect(await recorder.hearsOfEnd(of: [deep, folder("x/y"), folder("x")]))
    }

    @Test
    func aRescanFindsWhatNoEventTold() async throws {
        var options = WatchOptions()
        options.periodicRescan = .milliseconds(30)
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path, options: options))
        #expect(await eventually { recorder.watcher.status.rescans >= 3 })
        // An idle tree is listed without anything being told.
        #expect(recorder.events.map(\.kind) == [.rescan(.started)])
    }

    @Test
    func aFileWrittenWhileTheWatchStartsIsToldOrThereAtTheStart() async throws {
        var random = SeededRandom(seed: 3)
        for number in 0..<40 {
            let path = folder("\(number)")
            let watcher = DirectoryWatcher(folder.path)
            async let recording = WatchRecorder(watcher)
            for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
            let armedBefore = watcher.status.phase == .watching
            try folder.write("x", to: "\(number)")
            let recorder = await recording
            // Written before the start was told: a look after it finds the file. Else it must be told.
            if armedBefore { #expect(await recorder.hears(of: [path])) }
            #expect(try folder.text(of: "\(number)") == "x")
        }
    }

    @Test
    func anUnreadableFolderKeepsWhatWasInIt() async throws {
        try folder.makeFolder("d")
        try folder.write("x", to: "d/f")
        let files = FaultyFileSystem()
        var options = WatchOptions()
        options.pollsOnly = true
        options.pollInterval = .milliseconds(20)
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path, options: options, files: files))
        files.set(.named("list", pathSuffix: "/d", errno: .inputOutput))
        #expect(await eventually { recorder.watcher.status.unreadableFolders == 1 })
        files.set(.none)
        #expect(await eventually { recorder.watcher.status.unreadableFolders == 0 })
        let file = try folder.write("x", to: "d/g")
        #expect(await recorder.hears(of: [file]))
        // It was written right before the start, so it may be told again; as gone it never is.
        #expect(!recorder.events.contains { $0.kind == .removed })
    }

    @Test
    func nothingStartsBeforeItIsAskedTo() throws {
        let watcher = DirectoryWatcher(folder.path)
        _ = watcher.changes
        #expect(watcher.status.phase == .idle)
        watcher.stop()
        #expect(watcher.status.phase == .stopped)
    }

    @Test
    func changesAreURLsOfWhatChanged() async throws {
        let watcher = DirectoryWatcher(folder.path)
        var iterator = watcher.changes.makeAsyncIterator()
        await watcher.start()
        try folder.write("x", to: "with space and \u{E9}")
        #expect(await iterator.next()?.map(\.path) == [folder("with space and \u{E9}")])
        watcher.stop()
        #expect(await iterator.next() == nil)
    }

    @Test
    func cancellationEndsTheStreamWhileFilesAreWritten() async throws {
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path))
        for number in 0..<300 { try folder.write("x", to: "\(number)") }
        recorder.cancel()
        #expect(await eventually { recorder.ended })
    }

    @Test
    func aWatcherThatIsLetGoEnds() async throws {
        weak var gone: DirectoryWatcher?
        do {
            let watcher = DirectoryWatcher(folder.path)
            gone = watcher
            await watcher.start()
        }
        #expect(gone == nil)
    }

    @Test
    func aSlowConsumerCostsABoundedBacklogThatCoversEverything() async throws {
        var options = WatchOptions()
        options.backlogLimit = 50
        let watcher = DirectoryWatcher(folder.path, options: options)
        let events = watcher.events
        await watcher.start()
        for directory in 0..<5 {
            try folder.makeFolder("d\(directory)")
            for number in 0..<100 { try folder.write("x", to: "d\(directory)/\(number)") }
        }
        var wanted = Set((0..<5).flatMap { directory in (0..<100).map { folder("d\(directory)/\($0)") } })
        var isFirst = true
        for await batch in events {
            for event in batch {
                if case .rescan(.backlog) = event.kind {
                    wanted = wanted.filter { !$0.hasPrefix(event.path + "/") }
                } else {
                    wanted.remove(event.path)
                }
            }
            // What waited is bounded; later ones are taken as they come.
            if isFirst { #expect(batch.count <= 110) }
            isFirst = false
            if wanted.isEmpty { break }
        }
        #expect(wanted.isEmpty)
        watcher.stop()
    }
}
