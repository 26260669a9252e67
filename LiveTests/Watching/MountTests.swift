#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// One folder seen at two places, and other file systems that come and go in the tree.
        @Suite(.enabled(if: LiveMachine.isRoot, LiveMachine.rootReason)) struct MountTests {
            let folder: TemporaryFolder
            let root: String

            init() throws {
                folder = try TemporaryFolder()
                root = folder("root")
                try Disk.makeFolders("root/a/sub", below: folder.path)
                try Disk.makeFolders("root/b", below: folder.path)
                try Disk.write("\(root)/a/f")
            }

            /// The kernel says nothing of mounts: they are found by the next scan.
            private var options: WatchOptions {
                var options = WatchOptions()
                options.periodicRescan = .milliseconds(500)
                return options
            }

            @Test func aFolderMountedTwiceIsToldUnderBothNames() async throws {
                let mount = try Mount("--bind", "\(root)/a", on: "\(root)/b")
                let told = try await ToldChanges(root)
                try Disk.write("\(root)/a/f", "through a")
                #expect(await told.hears(of: ["\(root)/a/f", "\(root)/b/f"]))
                try Disk.write("\(root)/b/sub/g", "through b")
                #expect(await told.hears(of: ["\(root)/a/sub/g", "\(root)/b/sub/g"]))
                try Disk.removeTree("\(root)/a/sub")
                #expect(await told.hearsOfEnd(of: ["\(root)/a/sub", "\(root)/b/sub"]))
                try await told.isTrueInTheEnd()
                try mount.unmount()
            }

            @Test func aMountOfTheRootIsWatchedUnderItsOwnName() async throws {
                let other = folder("other")
                try Disk.makeFolder(other)
                let mount = try Mount("--bind", root, on: other)
                let told = try await ToldChanges(other)
                try Disk.write("\(root)/a/f", "through the original")
                try Disk.makeFolder("\(root)/new")
                try Disk.write("\(root)/new/g")
                #expect(await told.hears(of: ["\(other)/a/f", "\(other)/new/g"]))
                try await told.isTrueInTheEnd()
                try mount.unmount()
            }

            @Test func aFileSystemMountedInTheTreeIsFoundAndItsEndToo() async throws {
                let told = try await ToldChanges(root, options)
                for _ in 0..<2 {
                    let mount = try Mount("-t", "tmpfs", "live", on: "\(root)/a")
                    #expect(await told.hearsOfEnd(of: ["\(root)/a/f", "\(root)/a/sub"]))
                    try Disk.makeFolder("\(root)/a/inside")
                    try Disk.write("\(root)/a/inside/g")
                    #expect(await told.hears(of: ["\(root)/a/inside/g"]))
                    try await told.isTrueInTheEnd()
                    told.forget()
                    try Disk.write("\(root)/a/inside/g", "later")
                    #expect(await told.hears(of: ["\(root)/a/inside/g"]))
                    try mount.unmount()
                    #expect(await told.hearsOfEnd(of: ["\(root)/a/inside/g"]))
                    #expect(await told.hears(of: ["\(root)/a/f", "\(root)/a/sub"]))
                    try await told.isTrueInTheEnd()
                    told.forget()
                    try Disk.write("\(root)/a/f", "later")
                    #expect(await told.hears(of: ["\(root)/a/f"]))
                }
            }

            @Test func aFileSystemMountedOverTheRootIsFoundAndItsEndToo() async throws {
                let told = try await ToldChanges(root, options)
                let mount = try Mount("-t", "tmpfs", "live", on: root)
                #expect(await told.hearsOfEnd(of: ["\(root)/a", "\(root)/a/f"]))
                try Disk.write("\(root)/inside")
                #expect(await told.hears(of: ["\(root)/inside"]))
                try await told.isTrueInTheEnd()
                try mount.unmount()
                #expect(await told.hears(of: ["\(root)/a", "\(root)/a/f"]))
                #expect(await told.hearsOfEnd(of: ["\(root)/inside"]))
                try await told.isTrueInTheEnd()
            }
        }
    }
#endif
