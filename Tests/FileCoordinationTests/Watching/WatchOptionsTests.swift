import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Options of a watcher", .serialized, .timeLimit(.minutes(20)))
struct WatchOptionsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func watch(_ change: (inout WatchOptions) -> Void = { _ in }) async -> WatchRecorder {
        var options = WatchOptions()
        change(&options)
        return await WatchRecorder(DirectoryWatcher(folder.path, options: options))
    }

    @Test
    func ignoredFoldersCostNoWatch() async throws {
        for name in ["node_modules/a/b", "src/build/x", "docs/old", ".stversions/a"] { try folder.makeFolder(name) }
        let recorder = await watch { $0.ignoring = ["node_modules", "build/", "docs/old"] }
        // The root, src and docs.
        #expect(recorder.watcher.status.watchedFolders == 3)
        try folder.write("x", to: "node_modules/a/f")
        try folder.write("x", to: "docs/old/f")
        try folder.makeFolder("src/more/build/deep")
        let files = try ["src/f", "src/more/f", "docs/f"].map { try folder.write("x", to: $0) }
        #expect(await recorder.hears(of: files))
        #expect(recorder.events.allSatisfy { !$0.path.contains("build") && !$0.path.contains("node_modules") })
        #expect(await eventually { recorder.watcher.status.watchedFolders == 4 })
    }

    @Test
    func extensionsAreToldWithoutCaseAndFoldersAreWalked() async throws {
        try folder.makeFolder("a.txt")
        let recorder = await watch { $0.extensions = ["md"] }
        try folder.write("x", to: "a.txt/no.txt")
        let files = try ["a.txt/x.md", "Y.MD"].map { try folder.write("x", to: $0) }
        #expect(await recorder.hears(of: files))
        // Under another extension it counts as gone.
        try LocalFileSystem().rename(files[0], to: folder("a.txt/x.txt"))
        #expect(await recorder.hearsOfEnd(of: [files[0]]))
        #expect(recorder.events.allSatisfy { !$0.path.hasSuffix("o.txt") && !$0.path.hasSuffix("x.txt") })
    }

    @Test
    func whatIsNotRecursiveTellsOfEntriesOnly() async throws {
        try folder.makeFolder("a/b")
        let recorder = await watch { $0.recursive = false }
        #expect(recorder.watcher.status.watchedFolders == 1)
        try folder.write("x", to: "a/inside")
        try folder.makeFolder("new/deep")
        let file = try folder.write("x", to: "f")
        #expect(await recorder.hears(of: [file, folder("new")]))
        #expect(!recorder.events.contains { $0.path.hasSuffix("inside") || $0.path.hasSuffix("deep") })
        try FileManager.default.removeItem(atPath: folder("new"))
        #expect(await recorder.hearsOfEnd(of: [folder("new")]))
        #expect(recorder.watcher.status.watchedFolders == 1)
    }

    @Test
    func temporaryFilesAreToldIfAskedFor() async throws {
        let recorder = await watch { $0.filtersTemporaryNames = false }
        let file = try folder.write("x", to: "f.part")
        #expect(await recorder.hears(of: [file]))
    }

    @Test
    func aDownloadIsToldUnderItsRealNameOnly() async throws {
        let recorder = await watch()
        try folder.write("x", to: "movie.mkv.part")
        try LocalFileSystem().rename(folder("movie.mkv.part"), to: folder("movie.mkv"))
        let placeholder = try folder.write("", to: "photo.jpg.nextcloud")
        #expect(await recorder.hears(of: [folder("movie.mkv"), placeholder]))
        // A file that becomes a temporary one is gone.
        try LocalFileSystem().rename(folder("movie.mkv"), to: folder("movie.mkv~"))
        #expect(await recorder.hearsOfEnd(of: [folder("movie.mkv")]))
        #expect(Set(recorder.events.map(\.path)) == [folder.path, folder("movie.mkv"), placeholder])
    }

    @Test
    func theClockOfTheOptionsDecidesWhenABurstIsTold() async throws {
        let clock = ManualClock()
        let recorder = await watch {
            $0.clock = clock
            $0.settle = .seconds(5)
            $0.maximumDelay = .seconds(60)
        }
        // The leading edge takes no time at all.
        let file = try folder.write("1", to: "f")
        #expect(await recorder.hears(of: [file]))
        recorder.forget()
        for text in ["22", "333"] { try folder.write(text, to: "f") }
        // Another path shows that the writes were seen; they wait for the clock, which stands still.
        let other = try folder.write("x", to: "other")
        #expect(await recorder.hears(of: [other]))
        #expect(recorder.count(file) == 0)
        clock.advance(by: .seconds(5))
        #expect(await recorder.hears(of: [file]))
        #expect(recorder.count(file) == 1)
    }

    @Test
    func theClockOfTheOptionsDecidesWhenFoldersAreLookedAt() async throws {
        let clock = ManualClock()
        let recorder = await watch {
            $0.clock = clock
            $0.pollsOnly = true
            $0.pollInterval = .seconds(5)
            $0.periodicRescan = nil
        }
        #expect(recorder.watcher.status.rescans == 1)
        let file = try folder.write("x", to: "f")
        clock.advance(by: .seconds(4))
        #expect(recorder.count(file) == 0)
        clock.advance(by: .seconds(1))
        #expect(
            await eventually {
                clock.advance(by: .milliseconds(10))
                return recorder.count(file) == 1
            })
        clock.advance(by: .seconds(100_000))
        #expect(recorder.watcher.status.rescans == 1)
    }
}
