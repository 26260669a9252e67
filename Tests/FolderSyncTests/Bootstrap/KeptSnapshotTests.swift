import FileCoordination
import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// Sets that a device keeps in the folder stay there in full, whatever happens to their files.
@Suite("Snapshots that are kept")
struct KeptSnapshotTests {
    /// Two sets of a device, read again; the files of each by index.
    private func twoSets(_ tale: SnapshotTale) async throws -> [[String]] {
        let older = try tale.files(of: try await tale.publish(from: tale.a).set)
        try await tale.a.save("k0", "between the sets")
        try await tale.a.pass()
        let newer = try tale.files(of: try await tale.publish(from: tale.a).set)
        for _ in 0..<2 { try await tale.a.pass() }
        return [older, newer]
    }

    @Test func aPieceThatIsMissingOrDamagedIsWrittenAgainAtTheNextPass() async throws {
        try await SnapshotTale.with { tale in
            for set in try await twoSets(tale) {
                for file in [set[0], set[1], try #require(set.last)] {
                    let right = try #require(try tale.tree.read(file))
                    for wrong in [nil, Array(right.dropLast(9)), FormatSamples.flipped(right, bit: right.count * 4)] {
                        if let wrong { try tale.tree.write(wrong, to: file) } else { try tale.tree.remove(file) }
                        #expect(try !FolderVerification(of: tale.tree.path).isClean)
                        #expect(try await tale.a.pass().report.restored == 1, "\(file)")
                        #expect(try tale.tree.read(file) == right, "\(file)")
                        #expect(try await tale.a.pass().report.restored == 0)
                    }
                }
            }
            #expect(try FolderVerification(of: tale.tree.path).isClean)
        }
    }

    @Test func aPassThatFindsSetsAsTheyWereOpensNoneOfTheirFiles() async throws {
        try await SnapshotTale.with { tale in
            _ = try await twoSets(tale)
            try await tale.b.save("k1", "news")
            try await tale.b.pass()
            let (outcome, opened) = try await SnapshotTale.opened(by: tale.a)
            #expect(outcome.report.imported == 1 && !opened.contains { $0.contains("/p-") }, "\(opened)")
        }
    }

    @Test func aSetThatTwoNewerOnesMakeUnnecessaryIsNotWrittenAgain() async throws {
        try await SnapshotTale.with { tale in
            let sets = try await twoSets(tale)
            try await tale.a.save("k0", "and later")
            try await tale.a.pass()
            let newest = try tale.files(of: try await tale.publish(from: tale.a).set)
            try tale.tree.remove(sets[0][1])
            for _ in 0..<2 { try await tale.a.pass() }
            let there = Set(try tale.tree.list().filter { $0.contains("/p-") })
            #expect(there == Set(sets[1] + newest))
        }
    }

    @Test func verifyReportsASetThatIsNotComplete() async throws {
        try await SnapshotTale.with { tale in
            let set = try tale.files(of: try await tale.publish(from: tale.a).set)
            let manifest = try #require(try tale.tree.read(set[0]))
            for level in VerifyLevel.allCases {
                #expect(try FolderVerification(of: tale.tree.path, level: level).isClean, "\(level)")
            }
            try tale.tree.remove(set[2])
            for level in VerifyLevel.allCases {
                let found = try FolderVerification(of: tale.tree.path, level: level).findings
                #expect(found.map(\.kind) == [.gap], "\(level)")
                #expect(found.first?.reason == "\(set.count - 1) of the \(set.count) pieces of its snapshot are here")
            }
            // Without a manifest it is on its way, or was begun by somebody who will go on.
            try tale.tree.remove(set[0])
            for level in VerifyLevel.allCases {
                let found = try FolderVerification(of: tale.tree.path, level: level).findings
                #expect(found.map(\.kind) == [.arriving], "\(level)")
            }
            try tale.tree.write(manifest, to: set[0])
            try await tale.a.pass()
            #expect(try FolderVerification(of: tale.tree.path).isClean)
        }
    }

    @Test(arguments: [false, true]) func writingAPieceAgainMayEndAtAnyCall(failing: Bool) async throws {
        try await SnapshotTale.with { tale in
            let sets = try await twoSets(tale)
            let file = sets[0][1]
            let right = try #require(try tale.tree.read(file))
            let names = Set(try tale.tree.everyName())
            for number in stride(from: 1, to: 2_000, by: failing ? 13 : 9) {
                try tale.tree.remove(file)
                let calls = tale.a.mortality.calls
                if failing {
                    tale.a.mortality.fail(call: number, with: .inputOutput)
                } else {
                    tale.a.mortality.die(atCall: number)
                }
                do { try await tale.a.pass() } catch {
                    #expect(error is FolderSyncError || error is StoreError, "call \(number): \(error)")
                }
                let hasHappened = tale.a.mortality.calls - calls >= number
                try tale.a.reopen()
                for _ in 0..<2 { try await tale.a.pass() }
                #expect(try tale.tree.read(file) == right, "call \(number)")
                #expect(try sets.joined().allSatisfy { try tale.tree.read($0) != nil }, "call \(number)")
                if !hasHappened { return #expect(number > 10) }
                // What the dead leave would make each pass longer than the one before.
                for name in Set(try tale.tree.everyName()).subtracting(names) { try tale.tree.remove(name) }
            }
            Issue.record("a pass makes more calls than any should")
        }
    }
}
