import TestSupport
import Testing

@testable import FileCoordination

@Suite("A folder's snapshot")
struct FolderSnapshotTests {
    private func seen(_ number: UInt64, fresh: Bool = false) -> Fingerprint {
        Fingerprint(inode: number, digest: number &* 31, kind: number % 7 == 0 ? .directory : .file, isFresh: fresh)
    }

    private func content(_ snapshot: FolderSnapshot) -> [(String, Fingerprint)] {
        var all: [(String, Fingerprint)] = []
        snapshot.visit { name, seen in all.append((String(decoding: name, as: UTF8.self), seen)) }
        return all
    }

    private func sortedByBytes(_ model: [String: Fingerprint]) -> [(String, Fingerprint)] {
        model.map { ($0.key, $0.value) }.sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
    }

    private func expectSame(_ snapshot: FolderSnapshot, _ model: [String: Fingerprint], _ comment: Comment) {
        #expect(snapshot.count == model.count, comment)
        let (found, wanted) = (content(snapshot), sortedByBytes(model))
        #expect(found.map(\.0) == wanted.map(\.0), comment)
        #expect(found.map(\.1) == wanted.map(\.1), comment)
        #expect(found.map(\.1.isFresh) == wanted.map(\.1.isFresh), comment)
    }

    /// Names of which some are beginnings of others, some not ASCII.
    private func name(_ random: inout SeededRandom, among count: Int) -> String {
        let number = Int.random(in: 0..<count, using: &random)
        return ["n\(number)", "n\(number).md", "\u{E9}\(number)", String(repeating: "x", count: number % 256)][
            number % 4]
    }

    @Test(arguments: [3, 40, 700, 5000])
    func anyOrderOfChangesGivesWhatADictionaryGives(_ names: Int) {
        let seed = UInt64.random(in: 0...(.max))
        var random = SeededRandom(seed: seed)
        var snapshot = FolderSnapshot()
        var model: [String: Fingerprint] = [:]
        for step in 0..<4000 {
            let name = name(&random, among: names)
            let isGone = Int.random(in: 0..<(step % 1000 < 500 ? 5 : 2), using: &random) == 0
            let value = isGone ? nil : seen(random.next() % 1000, fresh: step % 3 == 0)
            snapshot.set(name, value)
            model[name] = value
            #expect(snapshot[name] == value)
            if step % 500 == 0 { expectSame(snapshot, model, "seed \(seed), step \(step)") }
            if step % 1300 == 0 { snapshot.tidy() }
        }
        expectSame(snapshot, model, "seed \(seed)")
        for number in 0..<names { #expect(snapshot["n\(number)"] == model["n\(number)"], "seed \(seed)") }
    }

    @Test
    func aMergeNamesEveryDifferenceOnceAndInOrder() {
        let seed = UInt64.random(in: 0...(.max))
        var random = SeededRandom(seed: seed)
        for round in 0..<30 {
            var (before, after) = (FolderSnapshot(), FolderSnapshot())
            var models: [[String: Fingerprint]] = [[:], [:]]
            for _ in 0..<Int.random(in: 0..<600, using: &random) {
                let name = name(&random, among: 500)
                let value = seen(random.next() % 4)
                if Bool.random(using: &random) { (models[0][name], _) = (value, before.set(name, value)) }
                if Bool.random(using: &random) { (models[1][name], _) = (value, after.set(name, value)) }
            }
            var visited: [String] = []
            FolderSnapshot.merge(before, after) { name, old, new in
                let text = String(decoding: name, as: UTF8.self)
                visited.append(text)
                #expect(old == models[0][text] && new == models[1][text], "seed \(seed), round \(round)")
            }
            let wanted = sortedByBytes(models[0].merging(models[1]) { one, _ in one }).map(\.0)
            #expect(visited == wanted, "seed \(seed), round \(round)")
        }
    }

    @Test
    func aListingTakesNamesInAnyOrderAndARepeatedNameOnce() {
        var listing = FolderListing()
        for (index, name) in ["b", "a", "ba", "b", "", "a", "\u{FF}"].enumerated() {
            var name = name
            name.withUTF8 { _ = listing.append(UnsafeRawBufferPointer($0), seen(UInt64(index + 1))) }
        }
        let snapshot = listing.finish()
        #expect(content(snapshot).map(\.0) == ["", "a", "b", "ba", "\u{FF}"])
        let next = listing.finish()
        #expect(next.count == 0)
    }

    @Test
    func anEntryTakes24BytesAndItsName() {
        #expect(MemoryLayout<FolderSnapshot.Record>.stride == 24)
    }

    @Test
    func insertionsIntoALargeFolderRarelyCopyIt() {
        var snapshot = FolderSnapshot()
        var copies = 0
        for number in 0..<3000 {
            let before = snapshot.records.count
            snapshot.set("file \(number &* 7919 % 50_000)", seen(UInt64(number)))
            if before >= FolderSnapshot.smallCount, snapshot.records.count != before { copies += 1 }
        }
        #expect(snapshot.count == 3000)
        #expect(copies <= 3000 / FolderSnapshot.mostRecent)
    }

    @Test
    func namesThatDoNotFitAreLeftOut() {
        var snapshot = FolderSnapshot()
        snapshot.set(String(repeating: "x", count: 70_000), seen(1))
        #expect(snapshot.count == 0)
        var listing = FolderListing()
        var name = String(repeating: "x", count: 70_000)
        let isTaken = name.withUTF8 { listing.append(UnsafeRawBufferPointer($0), seen(1)) }
        #expect(!isTaken)
    }
}
