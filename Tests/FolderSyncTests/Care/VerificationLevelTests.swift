import FileCoordination
import FolderSync
import LLVSCore
import Synchronization
import TestSupport
import Testing

/// What a verification of a folder finds, at each level.
@Suite struct VerificationLevelTests {
    typealias Kind = FolderVerification.Kind

    /// A sound folder of one device: five files of entries and a piece.
    private func sound(_ body: (SimulatedFolderDevice, [String]) async throws -> Void) async throws {
        try await SimulatedFolderGroup.with(1) { group in
            let a = group.devices[0]
            var random = SimulatedFolderRandom(seed: 3)
            for number in 0..<5 {
                let bytes = number == 4 ? random.bytes(30_000) : Array("\(number)".utf8)
                try await a.save([.insert(Value(id: try Value.ID("k\(number)"), bytes: bytes))])
                try await a.pass()
            }
            try await body(a, try a.replica.list().filter { $0.contains("/e-") })
        }
    }

    private func kinds(_ a: SimulatedFolderDevice, _ level: VerifyLevel) throws -> [Kind: [String]] {
        let findings = try FolderVerification(of: a.replica.path, level: level).findings
        return Dictionary(grouping: findings, by: \.kind).mapValues { $0.map(\.file).sorted() }
    }

    private func resealed(_ bytes: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = Array(bytes.dropLast(32))
        change(&bytes)
        return bytes + SHA256.hash(bytes).bytes
    }

    @Test func everyKindIsToldApart() async throws {
        try await sound { a, files in
            let bytes = try files.map { try #require(try a.replica.read($0)) }
            let lane = a.lane
            try a.replica.write(bytes[0], to: files[0] + " (1)")
            try a.replica.write([1, 2, 3], to: "\(lane)/notes.txt")
            try a.replica.write([], to: "\(lane)/.DS_Store")
            try a.replica.write(Array(bytes[1].prefix(50)), to: files[1])
            try a.replica.write(Array(bytes[2].dropLast()) + [bytes[2][bytes[2].count - 1] ^ 1], to: files[2])
            let future = resealed(bytes[0]) { $0[17] = 1 }
            try a.replica.write(future, to: "\(lane)/e-9-9-\(String(repeating: "a", count: 32)).llvs")
            try a.replica.write(resealed(bytes[0]) { $0[36] ^= 1 }, to: "\(lane)/foreign.bin")
            let deep = try kinds(a, .deep)
            #expect(deep[.duplicate] == [files[0] + " (1)"])
            #expect(deep[.stray] == ["\(lane)/notes.txt"])
            #expect(deep[.arriving] == [files[1]])
            #expect(deep[.damaged] == [files[2]])
            #expect(deep[.future]?.count == 1)
            #expect(deep[.foreign] == ["\(lane)/foreign.bin"])
            // The numbers 2 and 3 are missing, and version 4 has a parent that is not here.
            #expect(deep[.gap] == [lane, files[3]])
            let hash = try kinds(a, .hash)
            #expect(hash.mapValues(\.count) == deep.mapValues(\.count).merging([.gap: 1]) { $1 })
            let names = try kinds(a, .names)
            #expect(names[.arriving] == [files[1]] && names[.damaged] == nil)
            #expect(names[.gap] == [lane], "the numbers 6 to 8 have no file")
            let verification = try FolderVerification(of: a.replica.path)
            #expect(verification.counts[.stray] == 2 && verification.counts[.ok] == 4 && !verification.isClean)
        }
    }

    @Test func straysAndDuplicatesAreNoFault() async throws {
        try await sound { a, files in
            try a.replica.write(try #require(try a.replica.read(files[0])), to: files[0] + ".copy")
            try a.replica.write([1], to: "letter.txt")
            for level in VerifyLevel.allCases {
                #expect(try FolderVerification(of: a.replica.path, level: level).isClean)
            }
        }
    }

    @Test func namesOpenNothingButTheCard() async throws {
        try await sound { a, files in
            let opened = Mutex<Set<String>>([])
            let watching = SimulatedFolderFaults { (call) throws(Errno) in
                if call.kind == .open { opened.withLock { _ = $0.insert(call.path) } }
            }
            let found = try FolderVerification(of: a.replica.path, level: .names, files: watching)
            #expect(found.isClean && found.versions == 5 && found.counts[.ok] == 6)
            #expect(opened.withLock { $0.allSatisfy { !$0.hasSuffix(".llvs") } })
            try a.replica.remove(files[2])
            #expect(try kinds(a, .names) == [.gap: [a.lane]])
        }
    }

    @Test func onlyDeepFindsThatAPieceIsMissing() async throws {
        try await sound { a, _ in
            let entry = try #require(try a.replica.list().first { $0.contains("/e-5-") })
            let piece = try #require(try a.replica.list().first { $0.contains("/v-") })
            try a.replica.remove(piece)
            #expect(try kinds(a, .hash).isEmpty)
            #expect(try kinds(a, .deep) == [.gap: [entry]])
            #expect(try FolderVerification(of: a.replica.path).findings[0].reason.contains("a piece of a value"))
            try await a.pass()
            #expect(try FolderVerification(of: a.replica.path).isClean)
        }
    }

    /// Files whose containers, chains and names are right, as faulty software writes them.
    @Test(arguments: [false, true]) func onlyDeepFindsAValueThatIsNotItsVersions(inPieces: Bool) async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let folder = SimulatedFolderTree(directory + "/folder")
            try folder.make()
            let (store, lane) = try (FormatSamples.store(), FormatSamples.laneA())
            let text = ["noise", "text"].map { $0 + ".sha256" }
            let pieces = try text.map { try FormatSamples.digest($0) }
            for name in ["piece.stored", "piece.deflated"] {
                try folder.write(try FormatSamples.file(name), to: try FormatSamples.text(name))
            }
            let card = IdentityCard(store: store)
            try folder.write(card.encoded, to: card.fileName.text)
            let sound = try #require(EntriesFile.decode(try FormatSamples.file("entries.a")).verified)
            var bodies = sound.entries.map(\.bodies)
            if inPieces {
                guard case .pieces(let length, let extents) = bodies[1][0] else {
                    throw SimulatedFolderFailure("inline")
                }
                #expect(extents.map(\.piece) == pieces)
                bodies[1][0] = .pieces(length: length, extents: extents.reversed())
            } else {
                bodies[0][0] = .inline(Array("Hallo\n".utf8)[...])
            }
            var builder = EntriesFileBuilder(store: store, lane: lane, after: sound.header.before)
            for (entry, bodies) in zip(sound.entries, bodies) { try builder.append(entry.record, bodies: bodies) }
            let file = builder.finish(seen: [:])
            try folder.write(file.bytes, to: "\(lane)/\(file.name)")
            #expect(try FolderVerification(of: folder.path, level: .hash).isClean)
            let deep = try FolderVerification(of: folder.path)
            #expect(deep.findings.map(\.kind) == [.damaged] && deep.findings[0].reason.contains("other bytes"))
        }
    }

    @Test func aDirectoryThatCannotBeListedStopsNoOther() async throws {
        try await SimulatedFolderGroup.with(3, sharing: true) { group in
            let (a, b, c) = (group.devices[0], group.devices[1], group.devices[2])
            for device in [a, b] {
                try await device.save("k", device.name)
                _ = try await device.exchange.send()
            }
            let bad = a.replica.url(a.lane)
            let files = SimulatedFolderFaults { (call) throws(Errno) in
                if call.kind == .list, call.path == bad { throw .notPermitted }
            }
            let exchange = FolderExchange(
                store: c.store, attachment: c.exchange.attachment, files: files, pause: { _ in })
            let report = try await c.pass(exchange, c.coordinator).report
            #expect(report.imported == 1 && !report.isComplete)
            #expect(report.damaged.map(\.file) == [a.lane])
            #expect(try FolderVerification(of: a.replica.path, files: files).problems.map(\.file) == [a.lane])
            // Its own files that cannot be seen are not taken for lost.
            let own = FolderExchange(store: a.store, attachment: a.exchange.attachment, files: files, pause: { _ in })
            #expect(try await own.send().restored == 0)
            #expect(try await c.pass().report.imported == 1)
        }
    }

    @Test func aLanesDirectoryThatAServiceRenamedIsReadAndMadeAgain() async throws {
        try await SimulatedFolderGroup.with(3, sharing: true) { group in
            for device in group.devices {
                try await device.save(try Value.ID(device.lane), "x")
                _ = try await device.exchange.send()
            }
            let a = group.devices[0]
            for (file, bytes) in try a.replica.contents() where file.hasPrefix(a.lane) {
                try a.replica.write(bytes, to: file.replacing("\(a.lane)/", with: "\(a.lane) (1)/"))
                try a.replica.remove(file)
            }
            for device in group.devices.dropFirst() {
                #expect(try await device.pass().report.imported == 2)
            }
            #expect(try await a.pass().report.restored == 1)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
            #expect(try a.replica.directories().contains("\(a.lane) (1)"), "what somebody renamed stays")
        }
    }
}
