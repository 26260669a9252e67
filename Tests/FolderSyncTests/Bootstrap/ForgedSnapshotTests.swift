import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// Sets whose hashes are all right and whose contents are not: a store is set up by what is true or not at all.
@Suite("Forged snapshots")
struct ForgedSnapshotTests {
    /// A set as its maker has it before it is hashed.
    private struct Draft {
        var manifest: SetManifest
        var records: [[UInt8]]

        /// Writes the set into a lane.
        func write(to tree: SimulatedFolderTree, store: StoreIdentity, lane: LaneID) throws {
            var manifest = manifest
            let pieces = records.filter { !$0.isEmpty }
            manifest.pieces = pieces.map { SetManifest.Records(length: $0.count, digest: SHA256.hash($0)) }
            let first = manifest.encoded
            for (index, bytes) in ([first] + pieces).enumerated() {
                let place = SnapshotPiece.Place(
                    manifest: SHA256.hash(first), index: index + 1, count: pieces.count + 1)
                let file = SnapshotPiece.encode(bytes[...], at: place, store: store, lane: lane)
                try tree.write(file.bytes, to: "\(lane)/\(file.name.text)")
            }
        }
    }

    /// The set of the tale as a draft with one record a piece; its files are removed, and all entries.
    private func draft(_ tale: SnapshotTale) async throws -> (Draft, StoreIdentity) {
        let files = try tale.files(of: try await tale.publish(from: tale.a).set)
        var pieces: [SnapshotPiece] = []
        for file in files {
            let bytes = try #require(try tale.tree.read(file))
            pieces.append(try #require(SnapshotPiece.decode(bytes).verified))
        }
        let manifest = try SetManifest(decoding: pieces[0].bytes, count: pieces.count)
        var records: [[UInt8]] = []
        var reader = ByteReader(pieces.dropFirst().flatMap(\.bytes), of: "records")
        while reader.remaining > 0 {
            var record = ByteWriter()
            record.lengthPrefixed(try reader.lengthPrefixed())
            records.append(record.bytes)
        }
        for file in files { try tale.tree.remove(file) }
        return (Draft(manifest: manifest, records: records), pieces[0].store)
    }

    private func clear(_ tale: SnapshotTale) throws {
        for path in try tale.tree.list() where path.contains("/p-") { try tale.tree.remove(path) }
    }

    @Test func whatASetSaysOfItselfIsCounted() async throws {
        try await SnapshotTale.with { tale in
            let (draft, store) = try await draft(tale)
            try tale.removeEntries()
            var lies: [(String, Draft)] = []
            func lie(_ name: String, _ change: (inout Draft) -> Void) {
                var changed = draft
                change(&changed)
                lies.append((name, changed))
            }
            lie("one version more") { $0.manifest.versions += 1 }
            lie("one version less") { $0.manifest.versions -= 1 }
            lie("another head") { $0.manifest.heads = [Version.ID(SHA256.hash([]))] }
            lie("no last record") { $0.records.removeLast() }
            lie("a record twice") { $0.records.append($0.records[0]) }
            lie("a record instead of another") { $0.records[$0.records.count - 1] = $0.records[0] }
            lie("children first") { $0.records.reverse() }
            lie("a record that ends early") { $0.records[$0.records.count - 1].removeLast() }
            lie("a record that is none") { $0.records.append([4, 0, 0, 0, 1, 2, 3, 4]) }
            lie("a record of 4 GiB") { $0.records.append([255, 255, 255, 255]) }
            for (number, (name, lie)) in lies.enumerated() {
                try lie.write(to: tale.tree, store: store, lane: tale.b.exchange.attachment.lane)
                let d = try tale.newDevice("d\(number)")
                let report = try await d.pass().report
                #expect(try d.store.versionCount() == 0 && d.store.heads().isEmpty, "\(name)")
                #expect(report.damaged.count == 1, "\(name): \(report.damaged)")
                #expect(try d.store.verify(.deep).isEmpty, "\(name)")
                try clear(tale)
            }
            try draft.write(to: tale.tree, store: store, lane: tale.b.exchange.attachment.lane)
            let d = try tale.newDevice()
            try await d.pass()
            try SnapshotTale.expectSame(d, tale.a)
        }
    }

    @Test func filesThatASetIsWronglySaidToContainAreReadWhenTheyAreMissed() async throws {
        try await SnapshotTale.with { tale in
            var (draft, store) = try await draft(tale)
            // All files are named, and the last version is not there.
            let last = try #require(draft.manifest.heads.first)
            let parents = try tale.a.store.version(last).parents
            draft.records.removeLast()
            draft.manifest.versions -= 1
            draft.manifest.heads = parents
            try draft.write(to: tale.tree, store: store, lane: tale.b.exchange.attachment.lane)
            let d = try tale.newDevice()
            _ = try await d.exchange.retrieve()
            #expect(try d.store.state(of: last) == nil && d.store.versionCount() > 0)
            try await tale.a.save("k0", "on top")
            try await tale.a.pass()
            for _ in 0..<2 { _ = try await d.exchange.retrieve() }
            try SnapshotTale.expectSame(d, tale.a)
        }
    }

    @Test(arguments: [UInt64](1...3)) func spoiledRecordsUnderRightHashesAreRefusedOrTrue(seed: UInt64) async throws {
        try await SnapshotTale.with { tale in
            let (draft, store) = try await draft(tale)
            try tale.removeEntries()
            let truth = try SnapshotTale.picture(of: tale.a.store)
            var random = FormatRandom(seed: seed)
            for round in 0..<20 {
                var spoiled = draft
                let index = Int.random(in: 0..<spoiled.records.count, using: &random)
                for _ in 0..<Int.random(in: 1...3, using: &random) { Self.spoil(&spoiled.records[index], &random) }
                try spoiled.write(to: tale.tree, store: store, lane: tale.b.exchange.attachment.lane)
                let d = try tale.newDevice("d\(round)")
                try await d.pass()
                let picture = try SnapshotTale.picture(of: d.store)
                #expect(picture.isEmpty || picture == truth, "seed \(seed) round \(round)")
                if round % 5 == 0 { #expect(try d.store.verify(.deep).isEmpty, "seed \(seed) round \(round)") }
                try clear(tale)
            }
        }
    }

    @Test(arguments: [UInt64](1...8)) func spoiledManifestsNeverTrap(seed: UInt64) async throws {
        let right = try SnapshotSetFormatTests.manifest().encoded
        var random = FormatRandom(seed: seed)
        for _ in 0..<500 {
            var bytes = right
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.spoil(&bytes, &random) }
            guard let read = try? SetManifest(decoding: bytes[...], count: 2) else { continue }
            #expect(read.encoded == bytes, "seed \(seed)")
        }
    }

    private static func spoil(_ bytes: inout [UInt8], _ random: inout FormatRandom) {
        guard bytes.count > 10 else { return }
        let place = Int.random(in: 0..<bytes.count - 8, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes = FormatSamples.patched(bytes, at: place, UInt64.max >> UInt64.random(in: 0...63, using: &random))
        case 3: bytes = FormatSamples.patched(bytes, at: place, UInt32.random(in: 0...200, using: &random))
        case 4: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
    }
}
