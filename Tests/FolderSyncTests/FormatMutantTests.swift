import Foundation
import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// Files of every kind that are sealed and wrong. `FUZZ_SECONDS=600 swift test --filter FormatMutantTests` for long runs.
@Suite("Sealed and wrong")
struct FormatMutantTests {
    private static let seconds = ProcessInfo.processInfo.environment["FUZZ_SECONDS"].flatMap { Double($0) } ?? 0

    @Test("is refused, or says no more than its bytes", arguments: [UInt64](1...8))
    func decoders(seed: UInt64) throws {
        var random = FormatRandom(seed: seed)
        for (name, original) in try FormatMutant.originals() {
            for _ in 0..<20 { try Self.judge(try FormatMutant.bytes(from: original, &random), "\(name), seed \(seed)") }
        }
        for _ in 0..<40 {
            let card = try FormatMutant.card(&random)
            if let read = IdentityCard.decode(card).verified { #expect(read.encoded == card, "seed \(seed)") }
        }
    }

    /// What passes is what a writer would have written.
    private static func judge(_ bytes: [UInt8], _ note: Comment) throws {
        guard let content = FolderFileContent.decode(bytes).verified else { return }
        let optional = try #require(FolderFile.decode(bytes).verified).header.optionalFeatures
        switch content {
        case .entries(let file):
            var builder = EntriesFileBuilder(store: file.store, lane: file.lane, after: file.header.before)
            for entry in file.entries { try builder.append(entry.record, bodies: entry.bodies) }
            #expect(builder.after == file.header.after, note)
        case .piece(let piece):
            #expect(!piece.bytes.isEmpty && piece.digest == SHA256.hash(piece.bytes), note)
        case .note(let read):
            let again = FolderNote.encode(read.subject, store: read.store, lane: read.lane)
            if optional == 0 { #expect(again.bytes == bytes, note) }
        case .snapshot(let piece):
            guard piece.place.index == 1 else { return }
            let manifest: SetManifest
            do { manifest = try SetManifest(decoding: piece.bytes, count: piece.place.count) } catch { return }
            if optional == 0 { #expect(manifest.encoded == [UInt8](piece.bytes), note) }
        }
    }

    @Test("stops no other file, whatever it is called", arguments: [UInt64](1...4))
    func folders(seed: UInt64) async throws {
        var random = FormatRandom(seed: seed)
        let folder = try MutantFolder()
        for _ in 0..<6 { try await folder.round(&random, "seed \(seed)") }
    }

    @Test(.enabled(if: seconds > 0, "set FUZZ_SECONDS"), .timeLimit(.minutes(120)))
    func forAsLongAsIsAskedFor() async throws {
        let first = UInt64.random(in: 1...1_000_000_000)
        let end = Date().addingTimeInterval(Self.seconds)
        var seed = first
        while Date() < end {
            try decoders(seed: seed)
            try await folders(seed: seed)
            seed += 1
        }
        print(
            "seeds \(first) to \(seed - 1): \((seed - first) * 240) files decoded, \((seed - first) * 6) folders read")
    }
}

/// The fixture folder with a set of a snapshot, and with a file more that is sealed and wrong.
private struct MutantFolder {
    private let folder: TemporaryFolder
    private let originals: [(name: String, bytes: [UInt8])]
    private let files: [(path: String, bytes: [UInt8])]

    init() throws {
        folder = try TemporaryFolder()
        originals = try FormatMutant.originals()
        files = try FormatSamples.paths().map { ($0, try FormatSamples.bytes($0)) }
        for (path, bytes) in files {
            try folder.makeFolder("shared/" + (path.contains("/") ? String(path.prefix { $0 != "/" }) : ""))
            try Data(bytes).write(to: URL(fileURLWithPath: folder("shared/\(path)")))
        }
    }

    /// A reader takes in all that the good files have, or says in a typed error that a person is needed.
    func round(_ random: inout FormatRandom, _ note: Comment) async throws {
        let index = Int.random(in: 0..<originals.count, using: &random)
        let (name, original) = originals[index]
        let bytes = try FormatMutant.bytes(from: original, &random)
        let path = folder("shared/\(try FormatSamples.laneB())/" + Self.fileName(name, bytes, &random))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) } }
        let store = Store(storage: MemoryStorage())
        do {
            _ = try FolderVerification(of: folder("shared"), level: .deep)
            let exchange = FolderExchange(
                store: store, attachment: try FolderExchange.attach(store, to: folder("shared")), pause: { _ in })
            _ = try await exchange.retrieve()
            #expect(try store.versionCount() >= 5, "\(name), \(note)")
            #expect(try store.verify(.deep).isEmpty, "\(name), \(note)")
        } catch let error as FolderSyncError {
            // A note may be taken at its word.
            #expect(name.hasPrefix("note"), "\(name), \(note): \(error)")
        }
    }

    /// The name it would have, or one that a service made of it.
    private static func fileName(_ kind: String, _ bytes: [UInt8], _ random: inout FormatRandom) -> String {
        let hash = NameHash(SHA256.hash(bytes.dropLast(Digest.byteCount)))
        let name: FolderFileName =
            kind.hasPrefix("entries")
            ? .entries(from: 1, to: UInt64.random(in: 1...3, using: &random), hash: hash)
            : kind.hasPrefix("piece") ? .piece(hash) : .note(hash)
        return Bool.random(using: &random) ? name.text : "copy (conflicted copy 2026-11-30 010855).llvs"
    }
}
