#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// The kernel's limits on watches are reached: the rest is looked at in intervals, and that is said.
        @Suite(.enabled(if: OwnNamespace.isAvailable && !OwnNamespace.isInside, OwnNamespace.reason)) struct LimitTests
        {
            @Test func foldersBeyondTheLimitOfWatchesArePolledUntilThereIsRoom() async throws {
                print(try await onOwnThread { try OwnNamespace.run("watchesRunOut", watches: 100) }.figures)
            }

            @Test func withoutAnInstanceEverythingIsPolled() async throws {
                print(try await onOwnThread { try OwnNamespace.run("instancesRunOut", instances: 0) }.figures)
            }
        }

        /// Run by `LimitTests` in a process of their own.
        @Suite(.enabled(if: OwnNamespace.isInside, "run by LimitTests in a namespace of their own"))
        struct LimitTestsInNamespace {
            let folder: TemporaryFolder
            let files: [String]

            init() throws {
                folder = try TemporaryFolder()
                var files: [String] = []
                for number in 0..<200 {
                    try Disk.makeFolder(folder("\(number)"))
                    files.append(folder("\(number)/f"))
                    try Disk.write(folder("\(number)/f"))
                }
                self.files = files
            }

            private func watch() async throws -> ToldChanges {
                var options = WatchOptions()
                options.pollInterval = .milliseconds(300)
                return try await ToldChanges(folder.path, options)
            }

            private func changeEverything(_ told: ToldChanges, _ text: String) async throws {
                told.forget()
                for file in files { try Disk.write(file, text) }
                #expect(await told.hears(of: files))
                try await told.isTrueInTheEnd(watched: false)
                print("figures: \(files.count { told.words[$0] != nil }) of 200 told, \(told.watcher.status)")
            }

            @Test func watchesRunOut() async throws {
                let told = try await watch()
                var status = told.watcher.status
                #expect(status.watchedFolders == 100)
                #expect(status.polledFolders == 101)
                try await changeEverything(told, "one")
                let reason = try #require(told.polling.first)
                #expect("\(reason)".contains("max_user_watches"), "\(reason)")
                #expect(status.phase == .polling(reason))
                try KernelSetting.watches.set(1000)
                #expect(await told.sees { $0.watcher.status.phase == .watching && $0.watching == 1 })
                status = told.watcher.status
                #expect(status.watchedFolders == 201)
                #expect(status.polledFolders == 0)
                try await changeEverything(told, "other")
                try await told.isTrueInTheEnd()
            }

            @Test func instancesRunOut() async throws {
                let told = try await watch()
                let status = told.watcher.status
                #expect(status.watchedFolders == 0)
                #expect(status.polledFolders == 201)
                try await changeEverything(told, "one")
                let reason = try #require(told.polling.first)
                #expect("\(reason)".contains("max_user_instances"), "\(reason)")
                #expect(status.phase == .polling(reason))
            }
        }
    }

    extension String {
        fileprivate var figures: String {
            split(separator: "\n").filter { $0.hasPrefix("figures") }.joined(separator: "\n")
        }
    }
#endif
