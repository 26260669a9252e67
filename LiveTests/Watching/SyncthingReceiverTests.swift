#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// A real sync service writes the folder that is watched.
        @Suite(.enabled(if: LiveGate.has("syncthing"), "syncthing is not installed")) struct SyncthingReceiverTests {
            @Test func aReplacedFileArrivesAsOneChangeAndNeverAsRemoved() async throws {
                let directory = try LiveDirectory()
                let pair = try SyncthingPair(in: directory, number: 1)
                defer { pair.end() }
                let (sender, receiver) = (pair.folders[0], pair.folders[1])
                let told = try await ToldChanges(receiver, readsFiles: true)
                let file = "\(receiver)/note.md"
                try Disk.write("\(sender)/note.md", "the first text")
                #expect(await told.hears(of: [file]), "the pair does not sync")
                for round in 0..<(LiveMachine.isPatient ? 5 : 2) {
                    #expect(await told.sees { $0.isQuiet(for: .milliseconds(500)) })
                    told.forget()
                    let text = "text \(round) " + String(repeating: "x", count: round * 50)
                    try Disk.write("\(sender)/note.md", text)
                    #expect(await told.sees { $0.contents[file]?.text.hasSuffix(text) ?? false })
                    #expect(await told.sees { $0.isQuiet(for: .milliseconds(500)) })
                    print("Syncthing, round \(round): \(told.words.mapValues(\.count))")
                    #expect(told.removals.isEmpty)
                    #expect(told.words[file]?.count == 1)
                    #expect(Set(told.words.keys) == [file], "its temporary file is not told of")
                }
                try await told.isTrueInTheEnd()
            }
        }
    }
#endif
