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
                let wanted = LiveMachine.isPatient ? 5 : 2
                var once = 0
                // It sets the time of a file that it has put in its place: on a busy machine so late that both are told.
                for round in 0..<20 where once < wanted {
                    #expect(await told.sees { $0.isQuiet(for: .milliseconds(500)) })
                    told.forget()
                    let text = "text \(round) " + String(repeating: "x", count: round * 10)
                    try Disk.write("\(sender)/note.md", text)
                    #expect(await told.sees { $0.contents[file]?.text.hasSuffix(text) ?? false })
                    #expect(await told.sees { $0.isQuiet(for: .milliseconds(500)) })
                    print("Syncthing, round \(round): \(told.words.mapValues(\.count))")
                    #expect(told.removals.isEmpty)
                    if told.words[file]?.count == 1 { once += 1 }
                    #expect(Set(told.words.keys) == [file], "its temporary file is not told of")
                }
                #expect(once == wanted, "one change each time, on a machine with time for it")
                try await told.isTrueInTheEnd()
            }
        }
    }
#endif
