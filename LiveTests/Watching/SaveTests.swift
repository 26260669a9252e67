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
        /// How programs replace a file: whatever their way, it is one change of that file.
        @Suite struct SaveTests {
            let folder: TemporaryFolder

            init() throws {
                folder = try TemporaryFolder()
                try Disk.write(folder("note.md"), "old")
            }

            /// Waits until the file was told with this content, and then until nothing follows.
            private func settle(_ told: ToldChanges, _ file: String) async throws {
                let content = FileContent(file)
                #expect(await told.sees { $0.contents[file] == content && $0.isQuiet(for: .milliseconds(120)) })
            }

            /// Syncthing's receiver: temporary file, unlink, some milliseconds, rename, modification time.
            @Test func aReplacementThroughAGapIsOneChangeAndNoRemoval() async throws {
                let (told, file) = (try await ToldChanges(folder.path, readsFiles: true), folder("note.md"))
                var random = SeededRandom(seed: 1)
                var (fair, once) = (0, 0)
                // A machine that is busy has fewer rounds that count, and needs more of them.
                for round in 0..<1000 {
                    if fair > (LiveMachine.isPatient ? 50 : 15) { break }
                    told.forget()
                    let pause = UInt32.random(in: 0..<4000, using: &random)
                    let took = try await onOwnThread { [folder] in
                        let temporary = folder(".syncthing.note.md.tmp")
                        try Disk.write(temporary, "content of round \(round)")
                        let start = ContinuousClock.now
                        try Disk.remove(file)
                        usleep(pause)
                        try Disk.move(temporary, file)
                        usleep(pause / 4)
                        var times = [timespec(tv_sec: round, tv_nsec: 0), timespec(tv_sec: round, tv_nsec: 0)]
                        try Disk.check(utimensat(AT_FDCWD, file, &times, 0), "utimensat", file)
                        return ContinuousClock.now - start
                    }
                    try await settle(told, file)
                    #expect(Set(told.words.keys) == [file])
                    // On a machine so busy that this took longer, the file was really gone for a while.
                    guard took < .milliseconds(9) else { continue }
                    fair += 1
                    if told.total == 1 { once += 1 }
                    #expect(told.removals.isEmpty, "round \(round)")
                }
                print("replaced through a gap: \(once) of \(fair) told once, none as removed")
                #expect(fair > 10)
                #expect(once == fair)
            }

            @Test func fiveHundredAtomicSavesTellTheTargetAlone() async throws {
                let (told, file) = (try await ToldChanges(folder.path, readsFiles: true), folder("note.md"))
                try await onOwnThread { [folder] in
                    for number in 0..<500 {
                        let temporary = folder("note.md.tmp.\(getpid()).\(String(number &* 2_654_435_761, radix: 16))")
                        try Disk.write(temporary, "save \(number)")
                        try Disk.move(temporary, file)
                    }
                }
                try await settle(told, file)
                print("500 atomic saves: \(told.total) events of \(told.words.keys.count) paths")
                #expect(Set(told.words.keys) == [file])
                #expect(told.removals.isEmpty)
            }

            /// The old file becomes the backup, and a new one is written under the name.
            @Test func aSaveThatKeepsABackupTellsTheTarget() async throws {
                let (told, file) = (try await ToldChanges(folder.path, readsFiles: true), folder("note.md"))
                for number in 0..<20 {
                    try await onOwnThread { [folder] in
                        try Disk.write(folder("4913"))
                        try Disk.remove(folder("4913"))
                        try Disk.move(file, folder("note.md~"))
                        try Disk.write(file, "save \(number)")
                        try Disk.remove(folder("note.md~"))
                    }
                    try await settle(told, file)
                }
                #expect(Set(told.words.keys) == [file])
                #expect(told.picture == [file: false])
            }

            @Test(.enabled(if: LiveGate.has("vim"))) func savesOfVimTellTheTargetAlone() async throws {
                let (told, file) = (try await ToldChanges(folder.path, readsFiles: true), folder("note.md"))
                for number in 0..<5 {
                    try await onOwnThread {
                        _ = try Program.run(
                            "vim", "-u", "NONE", "-es", "-c", "set backup writebackup", "-c",
                            "call setline(1, 'save \(number)')", "-c", "wq", file)
                    }
                    try await settle(told, file)
                }
                print(
                    "vim: \(told.total) events for 5 saves, of \(told.words.keys.map { $0.dropFirst(folder.path.count) })"
                )
                #expect(Set(told.words.keys) == [file])
            }

            @Test func aThousandWritesToAnOpenFileAreAFewChanges() async throws {
                let file = folder("log")
                let told = try await ToldChanges(folder.path, readsFiles: true) {
                    do { try await Task.sleep(for: .milliseconds(50)) } catch {}
                }
                let begun = ContinuousClock.now
                try await onOwnThread {
                    let descriptor = try Disk.check(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644), "open", file)
                    defer { close(descriptor) }
                    for _ in 0..<1000 {
                        if write(descriptor, "x", 1) != 1 {
                            throw Disk.Failure(call: "write", path: file, number: errno)
                        }
                        usleep(900)
                    }
                }
                let took = ContinuousClock.now - begun
                try await settle(told, file)
                print("1,000 writes to an open file: \(told.total) events")
                // One per maximum delay: more on a machine so busy that the writes take long.
                #expect(told.total < 30 + Int(took / WatchOptions().maximumDelay))
            }
        }
    }
#endif
