#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    extension WatcherLive {
        /// What the kernel's events do not tell of.
        @Suite struct BlindTests {
            let folder: TemporaryFolder

            init() throws { folder = try TemporaryFolder() }

            @Test func aWriteThroughAMemoryMapIsToldByTheNextRescan() async throws {
                try Disk.write(folder("m"), String(repeating: "a", count: 4096))
                try Disk.write(folder("still"))
                var options = WatchOptions()
                options.periodicRescan = .milliseconds(300)
                let file = try Disk.check(open(folder("m"), O_RDWR | O_CLOEXEC), "open", "m")
                defer { close(file) }
                let map = try #require(mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
                try #require(map != MAP_FAILED)
                defer { munmap(map, 4096) }
                let told = try await ToldChanges(folder.path, options, readsFiles: true)
                map.storeBytes(of: UInt8(ascii: "b"), as: UInt8.self)
                try Disk.check(msync(map, 4096, MS_SYNC), "msync", "m")
                #expect(await told.hears(of: [folder("m")]))
                try told.hasReadEverything()
                #expect(Set(told.words.keys) == [folder("m")])
            }

            @Test(.enabled(if: LiveMachine.isRoot, LiveMachine.rootReason), .enabled(if: LiveGate.has("bindfs")))
            func behindFUSEEverythingIsPolledAndThatIsSaid() async throws {
                try Disk.makeFolders("back/sub", below: folder.path)
                try Disk.makeFolder(folder("mount"))
                try Disk.write(folder("back/sub/f"))
                let mount = try Mount.throughFuse(folder("back"), on: folder("mount"))
                var options = WatchOptions()
                options.pollInterval = .milliseconds(200)
                let told = try await ToldChanges(folder("mount"), options, readsFiles: true)
                guard case .polling(let reason) = told.watcher.status.phase else {
                    Issue.record("\(told.watcher.status)")
                    return
                }
                print("FUSE: \(reason)")
                #expect(told.polling == [reason])
                try Disk.write(folder("back/sub/f"), "behind the mount")
                try Disk.write(folder("back/sub/new"), "behind the mount")
                #expect(await told.hears(of: [folder("mount/sub/f"), folder("mount/sub/new")]))
                try Disk.removeTree(folder("back/sub"))
                #expect(await told.hearsOfEnd(of: [folder("mount/sub/f"), folder("mount/sub/new")]))
                try await told.isTrueInTheEnd(watched: false)
                try told.hasReadEverything()
                told.watcher.stop()
                try mount.unmount()
            }

            /// An ext4 with small inodes keeps whole seconds: two writes of one size within one look alike.
            @Test(.enabled(if: LiveMachine.isRoot, LiveMachine.rootReason), .enabled(if: LiveGate.has("mkfs.ext4")))
            func writesWithinOneTickOfACoarseClockAreTold() async throws {
                try Program.run("truncate", "-s", "16M", folder("image"))
                try Program.run("mkfs.ext4", "-q", "-F", "-I", "128", folder("image"))
                try Disk.makeFolder(folder("mount"))
                let mount = try Mount("-o", "loop", folder("image"), on: folder("mount"))
                let file = folder("mount/f")
                try Disk.write(file, "0000")
                var options = WatchOptions()
                options.pollsOnly = true
                options.pollInterval = .milliseconds(100)
                let told = try await ToldChanges(folder("mount"), options, readsFiles: true)
                for number in 1...10 {
                    try await Task.sleep(for: .milliseconds(230))
                    try Disk.write(file, "000\(number % 10)")
                    let text = FileContent(file)
                    #expect(await told.sees(within: .seconds(10)) { $0.contents[file] == text }, "write \(number)")
                }
                told.watcher.stop()
                try mount.unmount()
            }
        }
    }
#endif
