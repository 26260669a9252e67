import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Renames, names and roots of all kinds", .serialized, .timeLimit(.minutes(20)))
struct WatchVariantTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func follow(_ root: String? = nil) async throws -> FollowedTree {
        var options = WatchOptions()
        options.pollInterval = .milliseconds(20)
        let path = root ?? folder.path
        return try await FollowedTree(DirectoryWatcher(path, options: options), root: path)
    }

    private func move(_ old: String, _ new: String) throws {
        try LocalFileSystem().rename(folder(old), to: folder(new))
    }
    private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: folder(path)) }

    @Test
    func chainsOfRenamesWithWritesInBetween() async throws {
        try folder.makeFolder("d0/e")
        let tree = try await follow()
        for round in 0..<50 {
            try move("d\(round)", "d\(round + 1)")
            try folder.write("x", to: "d\(round + 1)/e/\(round)")
        }
        #expect(try await tree.agrees(), "\(tree.difference)")
        #expect(await eventually { tree.watcher.status.watchedFolders == 3 })
    }

    @Test
    func foldersAndFilesThatSwapTheirNames() async throws {
        try folder.makeFolder("a/x")
        try folder.makeFolder("b/y")
        for name in ["a/x/1", "b/y/2", "f", "g"] { try folder.write(name, to: name) }
        let tree = try await follow()
        for round in 0..<50 {
            for (one, other) in [("a", "b"), ("f", "g")] {
                try move(one, "swap")
                try move(other, one)
                try move("swap", other)
            }
            try folder.write("\(round)", to: "a/\(round)")
        }
        // Also to a consumer that looked while a folder was away for an instant.
        #expect(try await tree.agrees(), "\(tree.difference)")
        // Every folder is watched under its own name.
        for name in ["a/last", "b/last"] { try folder.write("x", to: name) }
        let last = [folder("a/last"), folder("b/last")]
        #expect(await eventually { Set(tree.events.map(\.path)).isSuperset(of: last) })
        #expect(await eventually { tree.watcher.status.watchedFolders == 5 })
    }

    @Test
    func oneNameIsAFileAFolderAndALinkInTurn() async throws {
        try folder.makeFolder("other")
        let tree = try await follow()
        for round in 0..<30 {
            try folder.write("x", to: "n")
            try remove("n")
            try folder.makeFolder("n/deep")
            try folder.write("x", to: "n/deep/\(round)")
            if round % 3 == 0 { #expect(try await tree.agrees()) }
            try remove("n")
            try FileSystemLink.make(at: folder("n"), to: "other")
            if round % 3 == 1 { #expect(try await tree.agrees()) }
            try remove("n")
        }
        try folder.write("last", to: "n")
        #expect(try await tree.agrees(), "\(tree.difference)")
        #expect(await eventually { tree.watcher.status.watchedFolders == 2 })
    }

    @Test
    func aFolderMovesIntoItsOwnSibling() async throws {
        for name in ["a", "b", "c"] { try folder.makeFolder("\(name)/in") }
        let tree = try await follow()
        try move("b", "a/b")
        try move("c", "a/b/c")
        try folder.write("x", to: "a/b/c/in/f")
        #expect(try await tree.agrees(), "\(tree.difference)")
        try move("a/b/c", "c")
        try move("a", "c/a")
        try folder.write("x", to: "c/a/b/in/f")
        #expect(try await tree.agrees(), "\(tree.difference)")
        #expect(await eventually { tree.watcher.status.watchedFolders == 7 })
    }

    @Test(arguments: [
        "with space", "line\nbreak", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "e\u{301}", "\u{E9}", "-rf", "*",
        "\\", "a\u{7}",
        "\u{301}mark", String(repeating: "x", count: 255), String(repeating: "\u{4E2D}", count: 85), "Report (1).md",
        "tab\t",
    ])
    func anyNameIsTold(name: String) async throws {
        let tree = try await follow()
        try folder.makeFolder("d/\(name)")
        try folder.write("x", to: "d/\(name)/\(name)")
        try folder.write("x", to: name)
        #expect(try await tree.agrees(), "\(tree.difference)")
        try folder.write("longer", to: name)
        try move("d", "e")
        #expect(try await tree.agrees(), "\(tree.difference)")
        try remove("e")
        try remove(name)
        #expect(try await tree.agrees(), "\(tree.difference)")
    }

    @Test
    func namesThatDifferInCaseOrFormOnlyAreDifferent() async throws {
        let names = ["readme", "README", "caf\u{E9}", "cafe\u{301}"]
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path))
        try folder.write("1", to: "readme")
        try move("readme", "README")
        #expect(await recorder.hears(of: [folder("README")]))
        for name in names { try folder.write("x", to: name) }
        #expect(
            await eventually {
                let told = Set(recorder.events.map { Array($0.path.utf8) })
                return names.allSatisfy { told.contains(Array(folder($0).utf8)) }
            })
    }

    @Test
    func rightsTimesAndTruncationAreChanges() async throws {
        let path = try folder.write("some text", to: "f")
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path))
        // Other rights at the very time of the writing leave no trace where times come in ticks.
        let (local, elsewhere) = (LocalFileSystem(), try TemporaryFolder())
        let written = try local.attributes(at: path, followLinks: false).changed
        let isLater = try await eventually {
            let now = try elsewhere.write("x", to: "now")
            return try local.attributes(at: now, followLinks: false).changed > written
        }
        #expect(isLater)
        let changes: [() -> Int32] = [
            { chmod(path, 0o600) }, { truncate(path, 3) }, { utimes(path, nil) }, { truncate(path, 3000) },
        ]
        for change in changes {
            recorder.forget()
            #expect(change() == 0)
            #expect(await eventually { recorder.last(path) == .modified })
        }
    }

    @Test
    func everyNameOfAFileIsToldThatIsWrittenThroughIt() async throws {
        let first = try folder.write("1", to: "first")
        let recorder = await WatchRecorder(DirectoryWatcher(folder.path))
        #expect(link(first, folder("second")) == 0)
        #expect(await recorder.hears(of: [folder("second")]))
        for name in ["first", "second"] {
            recorder.forget()
            try folder.write(name, to: name)
            #expect(await recorder.hears(of: [folder(name)]))
        }
        try remove("first")
        #expect(await recorder.hearsOfEnd(of: [first]))
    }

    @Test(arguments: ["r/", "r//", "x/../r", "./r", "link", "link/"])
    func theRootIsToldOfAsItIsSpelled(spelling: String) async throws {
        try folder.makeFolder("r/a")
        try folder.makeFolder("x")
        try FileSystemLink.make(at: folder("link"), to: "r")
        var root = folder(spelling)
        let recorder = await WatchRecorder(DirectoryWatcher(root))
        while root.hasSuffix("/") { root.removeLast() }
        #expect(recorder.watcher.mode == .watching)
        try folder.write("x", to: "r/a/f")
        #expect(await recorder.hears(of: ["\(root)/a/f"]))
    }

    @Test
    func aRootThatIsALinkIsFollowedToItsNewTarget() async throws {
        try folder.makeFolder("one")
        try folder.makeFolder("two")
        try folder.write("x", to: "two/b")
        try FileSystemLink.make(at: folder("link"), to: "one")
        var options = WatchOptions()
        options.pollInterval = .milliseconds(20)
        let recorder = await WatchRecorder(DirectoryWatcher(folder("link"), options: options))
        try FileSystemLink.make(at: folder("new"), to: "two")
        try move("new", "link")
        #expect(await recorder.hears(of: [folder("link/b")]))
        recorder.forget()
        try folder.write("x", to: "one/silent")
        let file = try folder.write("x", to: "two/c")
        #expect(await recorder.hears(of: [folder("link/c")]))
        #expect(!recorder.events.contains { $0.path.hasSuffix("silent") || $0.path == file })
    }

    @Test
    func aRootWhoseParentMovesIsGoneAndComesBack() async throws {
        let root = try folder.makeFolder("parent/r")
        try folder.write("1", to: "parent/r/f")
        let tree = try await follow(root)
        try move("parent", "elsewhere")
        #expect(await eventually { tree.watcher.status.phase == .rootMissing })
        #expect(try await tree.agrees(), "\(tree.difference)")
        try folder.write("2", to: "elsewhere/r/g")
        try move("elsewhere", "parent")
        #expect(try await tree.agrees(), "\(tree.difference)")
        try folder.write("3", to: "parent/r/h")
        #expect(try await tree.agrees(), "\(tree.difference)")
    }

    @Test
    func theRootOfTheSystemCanBeWatched() async throws {
        var options = WatchOptions()
        options.recursive = false
        let recorder = await WatchRecorder(DirectoryWatcher("/", options: options))
        #expect(recorder.watcher.status.watchedFolders == 1)
        #expect(recorder.events.first?.path == "/")
    }

    #if os(Linux)
        /// A path of more than 4,096 bytes, which no system call takes at once.
        private func makeDeepTree(_ levels: Int) throws -> [Int32] {
            var folders = [open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)]
            let name = String(repeating: "n", count: 200)
            for _ in 0..<levels {
                let above = try #require(folders.last)
                try #require(mkdirat(above, name, 0o700) == 0)
                folders.append(openat(above, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
            }
            return folders
        }

        private func removeDeepTree(_ folders: [Int32]) {
            let name = String(repeating: "n", count: 200)
            for (level, above) in folders.enumerated().reversed() {
                if level < folders.count - 1 { unlinkat(above, name, AT_REMOVEDIR) }
                unlinkat(above, String(repeating: "f", count: 250), 0)
                close(above)
            }
        }

        @Test
        func whatIsTooDeepForAPathIsReportedAsUnreadable() async throws {
            let folders = try makeDeepTree(25)
            defer { removeDeepTree(folders) }
            let recorder = await WatchRecorder(DirectoryWatcher(folder.path))
            #expect(recorder.watcher.status.unreadableFolders == 1)
            let file = try folder.write("x", to: "f")
            #expect(await recorder.hears(of: [file]))
        }

        @Test
        func aFileWhosePathIsTooLongIsStillTold() async throws {
            // The folder's own path fits, the file's does not.
            let levels = (4_090 - folder.path.utf8.count) / 201
            let folders = try makeDeepTree(levels)
            defer { removeDeepTree(folders) }
            let recorder = await WatchRecorder(DirectoryWatcher(folder.path))
            #expect(recorder.watcher.status.unreadableFolders == 0)
            let name = String(repeating: "f", count: 250)
            let file = openat(try #require(folders.last), name, O_CREAT | O_WRONLY, 0o600)
            #expect(file >= 0 && close(file) == 0)
            #expect(await eventually { recorder.events.contains { $0.path.hasSuffix("/" + name) } })
        }
    #endif
}
