#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// The watched folder itself goes and comes.
        @Suite struct RootTests {
            let folder: TemporaryFolder
            let root: String

            init() throws {
                folder = try TemporaryFolder()
                root = folder("parent/root")
                try Disk.makeFolders("parent/root/sub", below: folder.path)
                try Disk.write("\(root)/f")
            }

            private func watch() async throws -> ToldChanges {
                var options = WatchOptions()
                options.pollInterval = .milliseconds(200)
                return try await ToldChanges(root, options)
            }

            private func isMissing(_ told: ToldChanges) async -> Bool {
                await told.sees { $0.watcher.status.phase == .rootMissing && $0.picture.isEmpty }
            }

            private func isWatched(_ told: ToldChanges, _ name: String) async throws {
                #expect(await told.sees { $0.watcher.status.phase == .watching })
                try await told.isTrueInTheEnd()
                told.forget()
                try Disk.write("\(root)/\(name)", "a later text")
                #expect(await told.hears(of: ["\(root)/\(name)"]))
            }

            @Test func aRootDeletedAndMadeAgainLaterIsWatchedAgain() async throws {
                let told = try await watch()
                try Disk.removeTree(root)
                #expect(await isMissing(told))
                #expect(await told.hearsOfEnd(of: [root, "\(root)/f", "\(root)/sub"]))
                try await Task.sleep(for: .seconds(2))
                try Disk.makeFolder(root)
                try Disk.write("\(root)/f")
                #expect(await told.hears(of: ["\(root)/f"]))
                try await isWatched(told, "g")
            }

            @Test func aRootDeletedAndMadeAgainAtOnceIsWatchedAgain() async throws {
                let (told, root) = (try await watch(), self.root)
                try await onOwnThread {
                    for number in 0..<50 {
                        try Disk.removeTree(root)
                        try Disk.makeFolder(root)
                        try Disk.makeFolder("\(root)/sub")
                        try Disk.write("\(root)/sub/f\(number)")
                    }
                }
                try await isWatched(told, "sub/f49")
            }

            @Test func whatHappensInARenamedRootIsNotToldUnderItsOldName() async throws {
                let told = try await watch()
                try Disk.move(root, folder("parent/other"))
                #expect(await isMissing(told))
                told.forget()
                try Disk.makeFolder(folder("parent/other/x"))
                try Disk.write(folder("parent/other/x/y"))
                try Disk.makeFolder(root)
                try Disk.write("\(root)/y")
                #expect(await told.hears(of: ["\(root)/y"]))
                try await isWatched(told, "z")
                #expect(!told.words.keys.contains { $0.hasPrefix("\(root)/x") })
            }

            @Test func aRootWhoseParentIsRenamedIsMissedAndFoundAgainWithWhatChanged() async throws {
                let told = try await watch()
                try Disk.move(folder("parent"), folder("elsewhere"))
                #expect(await isMissing(told))
                try Disk.write(folder("elsewhere/root/f"), "changed while it was away")
                try Disk.write(folder("elsewhere/root/sub/new"))
                told.forget()
                try Disk.move(folder("elsewhere"), folder("parent"))
                #expect(await told.hears(of: ["\(root)/f", "\(root)/sub/new", "\(root)/sub"]))
                try await isWatched(told, "sub/new")
            }

            @Test func aRootThatChangesPlacesWithAnotherFolderIsComparedWithIt() async throws {
                try Disk.makeFolders("other/sub/deep", below: folder.path)
                try Disk.write(folder("other/sub/deep/f"))
                let told = try await watch()
                for _ in 0..<21 { try Disk.swap(root, folder("other")) }
                #expect(await told.hears(of: ["\(root)/sub/deep/f"]))
                #expect(await told.hearsOfEnd(of: ["\(root)/f"]))
                try await isWatched(told, "sub/deep/f")
            }
        }
    }
#endif
