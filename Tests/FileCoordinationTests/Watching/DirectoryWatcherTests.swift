import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("DirectoryWatcher", .serialized, .timeLimit(.minutes(20)))
struct DirectoryWatcherTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func watch(_ change: (inout WatchOptions) -> Void = { _ in }) async -> WatchRecorder {
        var options = WatchOptions()
        change(&options)
        return await WatchRecorder(DirectoryWatcher(folder.path, options: options))
    }

    private func move(_ old: String, _ new: String) throws {
        try LocalFileSystem().rename(old, to: new)
    }

    @Test
    func filesMadeInFoldersMadeAMomentAgoAreTold() async throws {
        let recorder = await watch()
        var files: [String] = []
        for number in 0..<50 {
            try folder.makeFolder("s\(number)/a/b")
            files.append(try folder.write("x", to: "s\(number)/a/b/f"))
        }
        #expect(await recorder.hears(of: files + [folder("s7"), folder("s7/a"), folder("s7/a/b")]))
        #expect(await eventually { recorder.watcher.status.watchedFolders == 151 })
        recorder.forget()
        let later = try (0..<50).map { try folder.write("y", to: "s\($0)/a/b/g") }
        #expect(await recorder.hears(of: later))
    }

    @Test
    func onlyTheNewPathIsToldAfterAFolderIsRenamed() async throws {
        try folder.makeFolder("a/a2/a3/a4")
        let recorder = await watch()
        for (old, new) in [("a", "b"), ("b", "a")] {
            try move(folder(old), folder(new))
            #expect(await recorder.hears(of: [folder("\(new)/a2/a3/a4")]))
            #expect(await recorder.hearsOfEnd(of: [folder(old), folder("\(old)/a2/a3/a4")]))
            recorder.forget()
            let file = try folder.write("x", to: "\(new)/a2/a3/a4/n")
            #expect(await recorder.hears(of: [file]))
            #expect(!recorder.events.contains { $0.path.hasPrefix(folder(old) + "/") })
            try LocalFileSystem().removeFile(file)
            #expect(await recorder.hearsOfEnd(of: [file]))
            recorder.forget()
        }
        #expect(await eventually { recorder.watcher.status.watchedFolders == 5 })
    }

    @Test
    func aTreeMovedOutIsToldAsGoneAndNoLongerWatched() async throws {
        let outside = try TemporaryFolder()
        try folder.makeFolder("a/x")
        try folder.write("1", to: "a/x/f")
        let recorder = await watch()
        try move(folder("a"), outside("a"))
        #expect(await recorder.hearsOfEnd(of: [folder("a"), folder("a/x"), folder("a/x/f")]))
        #expect(await eventually { recorder.watcher.status.watchedFolders == 1 })
        recorder.forget()
        try outside.write("2", to: "a/x/f")
        let proof = try folder.write("x", to: "proof")
        #expect(await recorder.hears(of: [proof]))
        #expect(recorder.events.allSatisfy { $0.path == proof })
    }

    @Test
    func aTreeMovedInIsToldWholeAndThenWatched() async throws {
        let outside = try TemporaryFolder()
        try outside.makeFolder("t/u/v")
        for number in 0..<200 { try outside.write("x", to: "t/u/v/\(number)") }
        let recorder = await watch()
        try move(outside("t"), folder("t"))
        #expect(await recorder.hears(of: (0..<200).map { folder("t/u/v/\($0)") } + [folder("t"), folder("t/u/v")]))
        // Nothing happens to it afterwards that could be told.
        let twice = Dictionary(grouping: recorder.events.filter { $0.path != folder.path }, by: \.path)
            .filter { $0.value.count > 1 }
        #expect(twice.isEmpty, "\(twice), \(recorder.watcher.status)")
        try LocalFileSystem().removeFile(folder("t/u/v/7"))
        let new = try folder.write("x", to: "t/u/v/new")
        #expect(await recorder.hearsOfEnd(of: [folder("t/u/v/7")]))
        #expect(await recorder.hears(of: [new]))
    }

    @Test
    func aFolderMovedIntoANewOneIsFollowed() async throws {
        try folder.makeFolder("d")
        try folder.write("1", to: "d/f")
        let recorder = await watch()
        try folder.makeFolder("new")
        try move(folder("d"), folder("new/d"))
        try folder.write("2", to: "new/d/f")
        #expect(await recorder.hears(of: [folder("new/d/f")]))
        #expect(await recorder.hearsOfEnd(of: [folder("d"), folder("d/f")]))
    }

    @Test
    func aFolderDeletedAndMadeAgainIsWatchedAgain() async throws {
        let recorder = await watch()
        for round in 0..<20 {
            try folder.makeFolder("s")
            try folder.write("x", to: "s/old\(round)")
            try FileManager.default.removeItem(atPath: folder("s"))
            try folder.makeFolder("s")
            let file = try folder.write("x", to: "s/new\(round)")
            #expect(await recorder.hears(of: [file]))
            try FileManager.default.removeItem(atPath: folder("s"))
            #expect(await recorder.hearsOfEnd(of: [file, folder("s")]))
        }
        #expect(await eventually { recorder.watcher.status.watchedFolders == 1 })
    }

    @Test
    func aRootDeletedAndMadeAgainIsPickedUp() async throws {
        let root = try folder.makeFolder("r")
        try folder.write("1", to: "r/f")
        var options = WatchOptions()
        options.pollInterval = .milliseconds(20)
        let recorder = await WatchRecorder(DirectoryWatcher(root, options: options))
        try FileManager.default.removeItem(atPath: root)
        #expect(await recorder.hearsOfEnd(of: [root, folder("r/f")]))
        #expect(await eventually { recorder.watcher.status.phase == .rootMissing })
        try folder.makeFolder("r")
        try folder.write("2", to: "r/g")
        #expect(await recorder.hears(of: [folder("r/g")]))
        #expect(await eventually { recorder.last(root) != .removed })
        recorder.forget()
        // A root that is renamed is gone, and what happens in it is not told.
        try move(root, folder("r2"))
        try folder.write("3", to: "r2/x")
        #expect(await recorder.hearsOfEnd(of: [root, folder("r/g")]))
        try folder.makeFolder("r")
        try folder.write("4", to: "r/y")
        #expect(await recorder.hears(of: [folder("r/y")]))
        #expect(!recorder.events.contains { $0.path.hasSuffix("/x") })
    }

    @Test
    func aRootThatIsNotThereYetIsWaitedFor() async throws {
        var options = WatchOptions()
        options.pollInterval = .milliseconds(20)
        let recorder = await WatchRecorder(DirectoryWatcher(folder("later"), options: options))
        #expect(recorder.watcher.status.phase == .rootMissing)
        try folder.makeFolder("later")
        let file = try folder.write("x", to: "later/f")
        #expect(await recorder.hears(of: [file]))
        // What was found is told before it is counted.
        #expect(await eventually { recorder.watcher.status.phase == .watching })
    }

    @Test
    func linksAreToldAndNotFollowed() async throws {
        try folder.makeFolder("a")
        try FileSystemLink.make(at: folder("a/up"), to: "..")
        let recorder = await watch()
        try folder.makeFolder("show")
        try FileSystemLink.make(at: folder("show/link"), to: "/some/file")
        let file = try folder.write("x", to: "a/f")
        #expect(await recorder.hears(of: [folder("show/link"), file]))
        #expect(await eventually { recorder.watcher.status.watchedFolders == 3 })
        let behind = recorder.events.map(\.path).filter { $0.hasPrefix(folder("a/up/")) }
        #expect(behind.isEmpty, "\(behind)")
        for _ in 0..<20 {
            try FileManager.default.removeItem(atPath: folder("a"))
            try FileSystemLink.make(at: folder("a"), to: "show")
            try FileManager.default.removeItem(atPath: folder("a"))
            try folder.makeFolder("a")
        }
        let last = try folder.write("x", to: "a/last")
        #expect(await recorder.hears(of: [last]))
    }

    @Test
    func atomicWritesTellTheTargetOnly() async throws {
        let recorder = await watch()
        for round in 0..<2 {
            for name in ["a", "b", "c"] {
                recorder.forget()
                try CoordinatedFile().write([UInt8(round)], to: folder(name))
                #expect(await recorder.hears(of: [folder(name)]))
                #expect(recorder.events.allSatisfy { $0.path == folder(name) })
                #expect(recorder.last(folder(name)) == (round == 0 ? .created : .modified))
            }
        }
    }

    @Test
    func manyWritesToOneOpenFileAreAFewChangesTheLastAfterTheClose() async throws {
        let recorder = await watch()
        let files = LocalFileSystem()
        let file = try files.open(folder("big"), [.write, .create])
        let block = [UInt8](repeating: 1, count: 4096)
        let begun = ContinuousClock.now
        // What changes on and on is told once per maximum delay; on a busy machine the writes take longer than one.
        func most() -> Int { 2 + Int((ContinuousClock.now - begun) / WatchOptions().maximumDelay) }
        for _ in 0..<1000 { _ = try block.withUnsafeBytes { try files.write($0, to: file) } }
        var count = recorder.count(folder("big"))
        #expect(count <= most())
        recorder.forget()
        try files.close(file)
        #expect(await recorder.hears(of: [folder("big")]))
        count = recorder.count(folder("big"))
        #expect(count <= most())
    }

    @Test
    func foldersThatComeAndGoAtFullSpeedHarmNothing() async throws {
        let recorder = await watch()
        let files = LocalFileSystem()
        for round in 0..<2000 {
            try files.makeDirectory(folder("t"), permissions: .directory)
            if round % 3 == 0 { try move(folder("t"), folder("u")) }
            try files.removeDirectory(folder(round % 3 == 0 ? "u" : "t"))
        }
        let file = try folder.write("x", to: "f")
        #expect(await recorder.hears(of: [file]))
        #expect(await eventually { recorder.watcher.status.watchedFolders == 1 })
    }

    @Test
    func aNameThatIsNotUTF8IsCountedAndHarmsNothing() async throws {
        let recorder = await watch()
        let name: [CChar] = Array(folder("bad").utf8CString.dropLast()) + [-1, -2, 0]
        #expect(mkdir(name, 0o700) == 0)
        let file = try folder.write("x", to: "good")
        #expect(await recorder.hears(of: [file]))
        #expect(await eventually { recorder.watcher.status.skippedNames == 1 })
        #expect(rmdir(name) == 0)
        #expect(await eventually { recorder.watcher.status.skippedNames == 0 })
    }

    @Test
    func everyFinalStateIsToldWhenTheKernelDropsEvents() async throws {
        let recorder = await watch { $0.backlogLimit = 100_000 }
        let before = recorder.watcher.status.rescans
        // More than the kernel's queue takes, by any setting of these days; if it does not run over, all the better.
        let root = folder.path
        for directory in 0..<100 { try folder.makeFolder("d\(directory)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<4 {
                group.addTask {
                    let files = LocalFileSystem()
                    for number in 0..<1000 where number % 4 == part {
                        for directory in 0..<10 {
                            let path = "\(root)/d\(directory)/\(number)"
                            try files.close(try files.open(path, [.write, .create]))
                            if number % 5 == 0 { try files.removeFile(path) }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let there = (0..<10).flatMap { directory in
            (0..<1000).filter { $0 % 5 != 0 }.map { folder("d\(directory)/\($0)") }
        }
        #expect(await recorder.hears(of: there, within: .seconds(120)), "\(recorder.watcher.status)")
        // Of each of those that are gone the end is the last word, if there is any.
        let gone = (0..<10).map { folder("d\($0)/5") }
        #expect(await eventually { gone.allSatisfy { recorder.last($0) == nil || recorder.last($0) == .removed } })
        #expect(recorder.watcher.status.rescans >= before)
    }
}
