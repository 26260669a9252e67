import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Whether a watcher watches or polls", .serialized, .timeLimit(.minutes(20)))
struct WatchModeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func watch(
        _ files: any FileSystem = .local,
        _ makeSource: @escaping @Sendable () throws(Errno) -> (any WatchEventSource)?
    ) async -> WatchRecorder {
        var options = WatchOptions()
        options.pollInterval = .milliseconds(20)
        return await WatchRecorder(
            DirectoryWatcher(folder.path, options: options, files: files, makeSource: makeSource))
    }

    private func cause(_ mode: WatchMode?) -> FileCoordinationError? {
        if case .polling(let reason) = mode { reason } else { nil }
    }

    @Test
    func aLocalFolderIsWatched() async throws {
        let watcher = DirectoryWatcher(folder.path)
        #expect(watcher.mode == nil)
        await watcher.start()
        #expect(watcher.mode == .watching)
        watcher.stop()
        #expect(await eventually { watcher.mode == nil })
    }

    @Test
    func pollingThatIsAskedForSaysSo() async throws {
        var options = WatchOptions()
        options.pollsOnly = true
        let watcher = DirectoryWatcher(folder.path, options: options)
        await watcher.start()
        #expect(cause(watcher.mode)?.description.contains("pollsOnly") == true)
    }

    @Test
    func aRootThatIsAFileIsAProblemUntilItIsAFolder() async throws {
        let root = try folder.write("x", to: "r")
        var options = WatchOptions()
        options.pollInterval = .milliseconds(20)
        let recorder = await WatchRecorder(DirectoryWatcher(root, options: options))
        #expect(recorder.watcher.status.phase == .rootMissing)
        #expect(recorder.watcher.status.rootProblem?.code == .notDirectory)
        try LocalFileSystem().removeFile(root)
        #expect(await eventually { recorder.watcher.status.rootProblem?.code == .noSuchFile })
        try folder.makeFolder("r")
        let file = try folder.write("x", to: "r/f")
        #expect(await recorder.hears(of: [file]))
        #expect(await eventually { recorder.watcher.status.rootProblem == nil && recorder.watcher.mode == .watching })
    }

    @Test
    func aRootThatMayNotBeReadIsAProblem() async throws {
        let files = FaultyFileSystem(fault: .named("open", pathSuffix: folder.path, errno: .accessDenied))
        let recorder = await watch(files) { () throws(Errno) in nil }
        #expect(recorder.watcher.status.rootProblem?.code == .notPermitted)
        #expect(recorder.watcher.mode == nil)
        files.set(.none)
        #expect(await eventually { recorder.watcher.status.rootProblem == nil && recorder.watcher.mode != nil })
    }

    #if os(Linux)
        /// A kernel that watches so many folders and no more, or says nothing of what it sees.
        private final class Kernel: WatchEventSource {
            let base: InotifySource
            let room: Shared<Int>
            let isSilent: Bool
            private var watches: Set<Int32> = []
            var descriptor: Int32 { base.descriptor }

            init(room: Shared<Int>, isSilent: Bool = false) throws(Errno) {
                base = try InotifySource()
                self.room = room
                self.isSilent = isSilent
            }

            func add(_ folder: OpenFile, path: String) throws(Errno) -> Int32 {
                let watch = try base.add(folder, path: path)
                if watches.contains(watch) { return watch }
                guard room.value > watches.count else {
                    base.remove(watch)
                    throw .noSpace
                }
                watches.insert(watch)
                return watch
            }

            func remove(_ watch: Int32) {
                watches.remove(watch)
                base.remove(watch)
            }

            func drain() throws(Errno) -> [RawWatchEvent] {
                let events = try base.drain()
                return isSilent ? [] : events
            }

            func close() { base.close() }
        }

        @Test
        func whenWatchesAreFreeAgainEverythingIsWatchedAndThatIsTold() async throws {
            for number in 0..<20 { try folder.makeFolder("\(number)") }
            let room = Shared(5)
            let recorder = await watch { () throws(Errno) in try Kernel(room: room) }
            let reason = try #require(cause(recorder.watcher.mode))
            #expect(reason.remedy.contains("fs.inotify.max_user_watches"))
            #expect(recorder.watcher.status.polledFolders == 16)
            room.change { $0 = 1000 }
            #expect(await eventually { recorder.watcher.mode == .watching })
            #expect(recorder.watcher.status.watchedFolders == 21)
            #expect(await eventually { recorder.last(folder.path) == .watching })
            #expect(recorder.events.filter { $0.kind == .polling(reason) }.count == 1)
            let files = try (0..<20).map { try folder.write("x", to: "\($0)/f") }
            #expect(await recorder.hears(of: files))
        }

        @Test
        func whenTheKernelHasRoomForAWatcherAgainItIsAskedAgain() async throws {
            let room = Shared(0)
            let recorder = await watch { () throws(Errno) in
                if room.value == 0 { throw .tooManyFiles }
                return try Kernel(room: room)
            }
            #expect(cause(recorder.watcher.mode)?.remedy.contains("fs.inotify.max_user_instances") == true)
            try folder.makeFolder("a")
            room.change { $0 = 100 }
            #expect(await eventually { recorder.watcher.mode == .watching })
            #expect(await eventually { recorder.watcher.status.watchedFolders == 2 })
            let file = try folder.write("x", to: "a/f")
            #expect(await recorder.hears(of: [file]))
        }

        @Test(arguments: [FileSystemType.nfs, .smb, .fuse])
        func whereOthersChangeUnseenTheKernelAndLooksAreBothUsed(type: FileSystemType) async throws {
            try folder.makeFolder("a/b")
            let files = MountedFileSystem(type, at: folder.path)
            let silent = await watch(files) { () throws(Errno) in try Kernel(room: Shared(100), isSilent: true) }
            let reason = try #require(cause(silent.watcher.mode))
            #expect(reason.what.contains(type.name) && reason.path == folder.path)
            #expect(silent.watcher.status.watchedFolders == 3 && silent.watcher.status.blindFolders == 3)
            // As if another machine had written it.
            let file = try folder.write("x", to: "a/b/f")
            #expect(await silent.hears(of: [file]))
            try folder.write("y", to: "a/b/f")
            #expect(await eventually { silent.last(file) == .modified })
        }

        @Test
        func aMountBelowTheRootIsFoundOut() async throws {
            try folder.makeFolder("local")
            try folder.makeFolder("share/deep")
            let files = MountedFileSystem(.nfs, at: folder("share"))
            let recorder = await watch(files) { () throws(Errno) in try Kernel(room: Shared(100), isSilent: true) }
            #expect(cause(recorder.watcher.mode)?.path == folder("share"))
            let file = try folder.write("x", to: "share/deep/f")
            #expect(await recorder.hears(of: [file]))
            try FileManager.default.removeItem(atPath: folder("share"))
            #expect(await eventually { recorder.watcher.status.blindFolders == 0 })
            #expect(recorder.watcher.mode == .watching)
            #expect(await eventually { recorder.last(folder.path) == .watching })
        }
    #endif

    @Test
    func typesOfFileSystemsAreKnown() {
        #expect(FileSystemType.nfs.hidesChanges && FileSystemType.fuse.hidesChanges && FileSystemType.smb.name == "SMB")
        // ext4, tmpfs, overlayfs.
        for number: UInt32 in [0xEF53, 0x0102_1994, 0x794C_7630, 0] {
            #expect(!FileSystemType(rawValue: number).hidesChanges)
        }
        #expect(FileSystemType(rawValue: 0xEF53).name == "0xef53")
        #expect(LocalFileSystem().fileSystemType(at: folder("none")) == .unknown)
        #if os(Linux)
            #expect(LocalFileSystem().fileSystemType(at: folder.path) != .unknown)
        #endif
    }
}
