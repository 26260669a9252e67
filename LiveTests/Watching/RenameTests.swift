#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// Folders that are renamed while they are written to.
        @Suite struct RenameTests {
            let folder: TemporaryFolder
            let outside: TemporaryFolder

            init() throws {
                folder = try TemporaryFolder()
                outside = try TemporaryFolder()
            }

            /// The tree is known; the script runs flat out; in the end everything told is true, and so are later writes.
            private func run(
                lasts files: [String], _ prepare: () throws -> Void, then script: @escaping @Sendable () throws -> Void
            ) async throws -> ToldChanges {
                try prepare()
                let told = try await ToldChanges(folder.path)
                try await onOwnThread(script)
                #expect(await told.hears(of: files))
                try await told.isTrueInTheEnd()
                told.forget()
                for file in files { try Disk.write(file, "a later text") }
                #expect(await told.hears(of: files), "later writes")
                #expect(Set(told.words.keys) == Set(files), "nothing under old names")
                return told
            }

            @Test func writesBelowARenamedFolderHaveItsNewName() async throws {
                let folder = self.folder
                _ = try await run(lasts: [folder("b1/a2/a3/a4/a5/a6/a7/a8/a9/n")]) {
                    try Disk.makeFolders("a1/a2/a3/a4/a5/a6/a7/a8/a9", below: folder.path)
                } then: {
                    try Disk.move(folder("a1"), folder("b1"))
                    try Disk.write(folder("b1/a2/a3/a4/a5/a6/a7/a8/a9/n"))
                }
            }

            @Test func aFolderMayBeRenamedTwiceAtOnce() async throws {
                let folder = self.folder
                _ = try await run(lasts: [folder("c/x/y/f")]) {
                    try Disk.makeFolders("a/x/y", below: folder.path)
                } then: {
                    try Disk.move(folder("a"), folder("b"))
                    try Disk.move(folder("b"), folder("c"))
                    try Disk.write(folder("c/x/y/f"))
                }
            }

            @Test func aFolderMayBeRenamedFiftyTimesWhileItIsWrittenTo() async throws {
                let folder = self.folder
                let files = (0..<50).map { folder("d50/x/f\($0)") }
                _ = try await run(lasts: files) {
                    try Disk.makeFolders("d0/x", below: folder.path)
                } then: {
                    for number in 0..<50 {
                        try Disk.move(folder("d\(number)"), folder("d\(number + 1)"))
                        try Disk.write(folder("d\(number + 1)/x/f\(number)"))
                    }
                }
            }

            @Test func twoFoldersMaySwapNamesFiftyTimes() async throws {
                let folder = self.folder
                _ = try await run(lasts: [folder("a/f50"), folder("b/x/g50"), folder("b/x/g49"), folder("b/f49")]) {
                    try Disk.makeFolders("a/x", below: folder.path)
                    try Disk.makeFolders("b/y/z", below: folder.path)
                } then: {
                    for number in 0..<51 {
                        try Disk.swap(folder("a"), folder("b"))
                        try Disk.write(folder("a/f\(number)"))
                        try Disk.write(folder(number.isMultiple(of: 2) ? "b/x/g\(number)" : "a/x/g\(number)"))
                    }
                }
            }

            @Test func aFolderMayMoveIntoOneMadeAMomentAgo() async throws {
                let folder = self.folder
                _ = try await run(lasts: [folder("new/d/f"), folder("new/d/e/g")]) {
                    try Disk.makeFolders("d/e", below: folder.path)
                    try Disk.write(folder("d/f"))
                } then: {
                    try Disk.makeFolder(folder("new"))
                    try Disk.move(folder("d"), folder("new/d"))
                    try Disk.write(folder("new/d/f"), "other")
                    try Disk.write(folder("new/d/e/g"))
                }
            }

            @Test func aFolderMayMoveOutAndInAgainAHundredTimes() async throws {
                let (folder, outside) = (self.folder, self.outside)
                _ = try await run(lasts: [folder("a/x/f")]) {
                    try Disk.makeFolders("a/x", below: folder.path)
                    try Disk.write(folder("a/x/f"))
                } then: {
                    for number in 0..<100 {
                        try Disk.move(folder("a"), outside("a"))
                        try Disk.write(outside("a/x/f"), "\(number)")
                        try Disk.move(outside("a"), folder("a"))
                    }
                }
            }

            @Test func aFolderMovedOutIsGoneAndWhatHappensToItIsNotTold() async throws {
                try Disk.makeFolders("a/x", below: folder.path)
                try Disk.makeFolders("stays/y", below: folder.path)
                try Disk.write(folder("a/x/f"))
                let told = try await ToldChanges(folder.path)
                try Disk.move(folder("a"), outside("a"))
                try Disk.write(outside("a/x/f"), "outside")
                #expect(await told.hearsOfEnd(of: [folder("a"), folder("a/x"), folder("a/x/f")]))
                try await told.isTrueInTheEnd()
                told.forget()
                try Disk.write(outside("a/x/f"), "outside again")
                try Disk.write(folder("proof"))
                #expect(await told.hears(of: [folder("proof")]))
                try await told.isTrueInTheEnd()
                #expect(Set(told.words.keys) == [folder("proof")])
            }
        }
    }
#endif
