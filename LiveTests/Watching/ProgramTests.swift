#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// Other programs at work in the tree.
        @Suite struct ProgramTests {
            let folder: TemporaryFolder

            init() throws { folder = try TemporaryFolder() }

            @Test(.enabled(if: LiveGate.has("python3") && Program.succeeds("python3", "-m", "venv", "--help")))
            func aVirtualEnvironmentIsToldWholeWhileAFolderTurnsIntoALinkAndBack() async throws {
                let (told, folder) = (try await ToldChanges(folder.path), self.folder)
                async let flips: Void = onOwnThread {
                    for _ in 0..<200 {
                        try Disk.makeFolder(folder("x"))
                        Thread.sleep(forTimeInterval: 0.001)
                        try Disk.removeFolder(folder("x"))
                        try Disk.linkSymbolically(folder("x"), to: "/")
                        Thread.sleep(forTimeInterval: 0.001)
                        try Disk.remove(folder("x"))
                    }
                }
                try await onOwnThread {
                    for number in 0..<3 {
                        try Program.run("python3", "-m", "venv", "--without-pip", folder("venv\(number)"))
                    }
                }
                try await flips
                try await told.isTrueInTheEnd()
                print("python3 -m venv: \(told.picture.count) entries")
                #expect(told.picture.count > 20)
            }

            @Test func fourCopiesOfAThousandFilesAtOnceAreToldWithTheirContent() async throws {
                let outside = try TemporaryFolder()
                for number in 0..<1000 {
                    let place = "d/\(number % 20)"
                    if number < 20 { try Disk.makeFolders(place, below: outside.path) }
                    try Disk.write(outside("\(place)/f\(number)"), "content of \(number)")
                }
                let folder = self.folder
                let told = try await ToldChanges(folder.path, readsFiles: true)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for copy in 0..<4 {
                        group.addTask { () async throws -> Void in
                            try await onOwnThread {
                                _ = try Program.run("cp", "-a", outside("d"), folder("copy\(copy)"))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await told.isTrueInTheEnd()
                try told.hasReadEverything()
                #expect(told.picture.count == 4 * 1021)
                #expect(told.removals.isEmpty)
            }

            @Test(
                .enabled(if: LiveGate.has("rsync"), "rsync is not installed"),
                arguments: [["-a"], ["-a", "--inplace"], ["-a", "--delay-updates"], ["-a", "--backup"]])
            func aFolderThatRsyncWritesIsToldWithItsContentAndWithoutItsTemporaryFiles(options: [String]) async throws {
                let (source, folder) = (try TemporaryFolder(), self.folder)
                for number in 0..<300 {
                    if number < 10 { try Disk.makeFolders("d\(number)/.hidden", below: source.path) }
                    let place =
                        number % 7 == 0 ? "d\(number % 10)/.hidden/.f\(number)" : "d\(number % 10)/f \(number).md"
                    try Disk.write(source(place), String(repeating: "content of \(number)\n", count: 200))
                }
                let told = try await ToldChanges(folder.path, readsFiles: true)
                for round in 0..<3 {
                    try await onOwnThread {
                        _ = try Program.run(["rsync"] + options + ["\(source.path)/", "\(folder.path)/"])
                        for number in stride(from: 1, to: 300, by: 7) where number % 7 != 0 {
                            try Disk.append(source("d\(number % 10)/f \(number).md"), "round \(round)\n")
                        }
                    }
                    try await told.isTrueInTheEnd()
                }
                try told.hasReadEverything()
                // Some random ends of six letters look like words, and are told of; each is gone again then.
                let temporary = told.picture.keys.filter { "\($0)".contains("/.f ") }
                #expect(temporary.isEmpty, "\(temporary)")
            }

            @Test(.enabled(if: LiveGate.has("git")))
            func aRepositoryIsToldAsItIsAfterCommitsAndCheckouts() async throws {
                let told = try await ToldChanges(folder.path, readsFiles: true)
                try await onOwnThread { [folder] in
                    func git(_ arguments: String...) throws {
                        try Program.run(
                            ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0"] + arguments,
                            in: folder.path, environment: ["GIT_CONFIG_GLOBAL": "/dev/null"])
                    }
                    try git("init", "-q", "-b", "main")
                    for branch in 0..<4 {
                        try git("checkout", "-q", "-b", "b\(branch)")
                        for file in 0..<50 {
                            try Disk.makeFolders("src\(branch)/d\(file % 5)", below: folder.path)
                            try Disk.write(folder("src\(branch)/d\(file % 5)/f\(file)"), "\(branch) \(file)")
                            try Disk.write(folder("f\(file)"), "\(branch) \(file)")
                        }
                        try git("add", ".")
                        try git("commit", "-q", "-m", "branch \(branch)")
                    }
                    for branch in [0, 3, 1, 2, 0, 3] { try git("checkout", "-q", "b\(branch)") }
                }
                try await told.isTrueInTheEnd()
                try told.hasReadEverything()
                print("git: \(told.picture.count) entries, \(told.total) events")
            }
        }
    }
#endif
