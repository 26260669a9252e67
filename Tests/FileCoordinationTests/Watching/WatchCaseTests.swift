import Foundation
import TestSupport
import Testing

@testable import FileCoordination

/// Reports of what other watchers lost, replayed.
@Suite("What watchers are known to lose", .serialized, .timeLimit(.minutes(20)))
struct WatchCaseTests {
    let folder: TemporaryFolder
    let outside: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        outside = try TemporaryFolder()
    }

    private func follow(_ change: (inout WatchOptions) -> Void = { _ in }) async throws -> FollowedTree {
        var options = WatchOptions()
        change(&options)
        return try await FollowedTree(DirectoryWatcher(folder.path, options: options), root: folder.path)
    }

    private func move(_ old: String, _ new: String) throws { try LocalFileSystem().rename(old, to: new) }
    private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    @Test
    func foldersMadeAtOnceAreToldParentsFirst() async throws {
        let tree = try await follow()
        for round in 0..<20 { try folder.makeFolder("\(round)/foo/bar/baz") }
        #expect(try await tree.agrees(), "\(tree.difference)")
        let order = tree.events.map(\.path)
        for round in 0..<20 {
            let paths = ["", "/foo", "/foo/bar", "/foo/bar/baz"].map { folder("\(round)\($0)") }
            let places = paths.compactMap { order.firstIndex(of: $0) }
            #expect(places.count == 4 && places == places.sorted())
        }
    }

    @Test
    func aFolderWithAFileIsToldEachTimeItComesAndGoes() async throws {
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path))
        for _ in 0..<15 {
            recorder.forget()
            try folder.makeFolder("t")
            let file = try folder.write("x", to: "t/a.yaml")
            #expect(await recorder.hears(of: [file]))
            try remove(folder("t"))
            #expect(await recorder.hearsOfEnd(of: [file]))
        }
    }

    @Test
    func treesThatAreCopiedInAreToldWhenTheyAreWhole() async throws {
        try outside.makeFolder("d")
        for number in 0..<100 { try outside.write(String(repeating: "x", count: number * 50), to: "d/\(number)") }
        let tree = try await follow()
        let (source, target) = (outside("d"), folder.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for copy in 0..<4 {
                group.addTask { try FileManager.default.copyItem(atPath: source, toPath: "\(target)/copy\(copy)") }
            }
            try await group.waitForAll()
        }
        #expect(try await tree.agrees(), "\(tree.difference)")
        #expect(await eventually { tree.watcher.status.watchedFolders == 5 })
    }

    @Test
    func aLinkInANewFolderIsTold() async throws {
        let tree = try await follow()
        for round in 0..<100 {
            try folder.makeFolder("\(round)")
            try FileSystemLink.make(at: folder("\(round)/ep.mkv"), to: "/some/file")
        }
        #expect(try await tree.agrees(), "\(tree.difference)")
        #expect(await eventually { tree.watcher.status.watchedFolders == 101 })
    }

    @Test
    func everythingBelowARenamedFolderIsStillWatched() async throws {
        try folder.makeFolder("A/AA/AAA")
        let tree = try await follow()
        try move(folder("A"), folder("B"))
        for place in ["B/f", "B/AA/f", "B/AA/AAA/f"] { try folder.write("x", to: place) }
        try folder.makeFolder("B/AA/new")
        try folder.write("x", to: "B/AA/new/f")
        #expect(try await tree.agrees(), "\(tree.difference)")
    }

    @Test
    func aFolderMadeAgainIsWatchedAfterAllTimersHaveRun() async throws {
        try folder.makeFolder("s")
        try folder.write("1", to: "s/init")
        let clock = ManualClock()
        let tree = try await follow { $0.clock = clock }
        try remove(folder("s"))
        try folder.makeFolder("s")
        #expect(
            try await eventually {
                clock.advance(by: .milliseconds(100))
                return try tree.agreesNow
            })
        for _ in 0..<3 {
            let before = tree.watcher.status.rescans
            clock.advance(by: .seconds(400))
            #expect(await eventually { tree.watcher.status.rescans > before })
        }
        // A closed file needs no clock.
        try folder.write("2", to: "s/init")
        #expect(try await tree.agrees(), "\(tree.difference)")
        #expect(await eventually { tree.watcher.status.watchedFolders == 2 })
    }

    @Test
    func aFolderMadeAgainHasNothingOfTheOldOne() async throws {
        try folder.makeFolder("test/test1")
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path))
        try remove(folder("test"))
        try folder.makeFolder("test")
        let file = try folder.write("x", to: "test/abcd")
        #expect(await recorder.hears(of: [file]))
        #expect(await recorder.hearsOfEnd(of: [folder("test/test1")]))
        recorder.forget()
        for name in ["b", "c"] { try folder.write("x", to: "test/\(name)") }
        #expect(await recorder.hears(of: [folder("test/b"), folder("test/c")]))
        #expect(!recorder.events.contains { $0.path.contains("test1") })
    }

    @Test
    func filesMovedInAndOutAreToldEachTime() async throws {
        let tree = try await follow()
        for _ in 0..<20 {
            try outside.write("x", to: "a")
            try move(outside("a"), folder("a"))
            #expect(try await tree.agrees())
            try move(folder("a"), outside("a"))
            #expect(try await tree.agrees())
        }
        #expect(tree.events.filter { $0.path == folder("a") }.count >= 40)
    }

    @Test
    func savesByTemporaryFileTellTheTargetOnly() async throws {
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path))
        for round in 0..<200 {
            let temporary = try folder.write("\(round)", to: "x.tmp.4242.\(String(round + 0xabc0, radix: 16))")
            try move(temporary, folder("x"))
        }
        let proof = try folder.write("x", to: "proof")
        #expect(await recorder.hears(of: [proof, folder("x")]))
        #expect(Set(recorder.events.map(\.path)) == [folder.path, proof, folder("x")])
    }

    @Test
    func aNameThatIsNotUTF8HarmsNoOther() async throws {
        let tree = try await follow()
        let name: [CChar] = Array(folder("bad").utf8CString.dropLast()) + [-1, -2, 0]
        let file = open(name, O_CREAT | O_WRONLY, 0o600)
        #expect(file >= 0 && close(file) == 0)
        try folder.write("x", to: "good")
        #expect(try await tree.agrees())
        #expect(await eventually { tree.watcher.status.skippedNames == 1 })
        #expect(unlink(name) == 0)
        #expect(await eventually { tree.watcher.status.skippedNames == 0 })
    }

    @Test
    func aWriteThroughAMemoryMapIsSeenByTheRescan() async throws {
        let path = try folder.write("aaaa", to: "m")
        let clock = ManualClock()
        let recorder = await WatchRecorder(
            DirectoryWatcher(
                folder.path,
                options: {
                    var options = WatchOptions()
                    options.clock = clock
                    return options
                }()))
        let file = open(path, O_RDWR)
        defer { close(file) }
        let map = try #require(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
        defer { munmap(map, 4096) }
        map.storeBytes(of: 0x62, as: UInt8.self)
        #expect(msync(map, 4096, MS_SYNC) == 0)
        clock.advance(by: .seconds(301))
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(100))
                return recorder.last(path) == .modified
            })
    }

    @Test
    func linksInCirclesEndTheWalk() async throws {
        try folder.makeFolder("a")
        try FileSystemLink.make(at: folder("a/up"), to: "..")
        try FileSystemLink.make(at: folder("b"), to: folder("a"))
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path))
        #expect(recorder.watcher.status.watchedFolders == 2)
        let file = try folder.write("x", to: "a/f")
        #expect(await recorder.hears(of: [file]))
        let proof = try folder.write("x", to: "proof")
        #expect(await recorder.hears(of: [proof]))
        #expect(Set(recorder.events.map(\.path)) == [folder.path, file, proof])
    }

    @Test
    func foldersReplacedByLinksHarmNothing() async throws {
        try folder.makeFolder("x")
        try folder.makeFolder(".venv/lib")
        let tree = try await follow()
        for round in 0..<50 {
            try remove(folder("x"))
            try FileSystemLink.make(at: folder("x"), to: ".venv/lib")
            try FileSystemLink.make(at: folder(".venv/lib64-\(round)"), to: "lib")
            try remove(folder("x"))
            try folder.makeFolder("x")
            try folder.write("x", to: "x/\(round)")
        }
        #expect(try await tree.agrees(), "\(tree.difference)")
        #expect(await eventually { tree.watcher.status.watchedFolders == 4 })
    }

    #if os(Linux)
        @Test
        func readingAndListingRaiseNoEvents() throws {
            try folder.makeFolder("d")
            try folder.write("x", to: "d/f")
            let (files, source) = (LocalFileSystem(), try InotifySource())
            defer { source.close() }
            for path in [folder.path, folder("d")] {
                let opened = try files.open(path, [.read, .directory])
                defer { do { try files.close(opened) } catch {} }
                _ = try source.add(opened, path: path)
            }
            for _ in 0..<100 {
                _ = try files.list(folder("d"))
                _ = try files.attributes(at: folder("d/f"), followLinks: false)
                _ = try files.readFile(at: folder("d/f"))
            }
            #expect(try source.drain().isEmpty)
            try folder.write("y", to: "d/f")
            #expect(try !source.drain().isEmpty)
        }
    #endif
}
