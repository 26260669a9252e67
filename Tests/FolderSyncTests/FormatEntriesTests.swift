import LLVSCore
import Testing

@testable import FolderSync

@Suite("Files of entries")
struct FormatEntriesTests {
    /// The bodies of a record as the fixture folder has them.
    private func bodies(_ number: Int) throws -> [EntriesFile.Body] {
        switch number {
        case 1: return [.inline([UInt8]("Hello\n".utf8)[...]), .inline([])]
        case 2:
            let noise = try #require(Piece.decode(try FormatSamples.file("piece.stored")).verified)
            let text = try #require(Piece.decode(try FormatSamples.file("piece.deflated")).verified)
            let (first, second) = (UInt64(noise.bytes.count), UInt64(text.bytes.count))
            return [
                .pieces(
                    length: first + second,
                    extents: [
                        .init(piece: noise.digest, offset: 0, length: first),
                        .init(piece: text.digest, offset: 0, length: second),
                    ])
            ]
        case 3: return [.inline([UInt8]("from B".utf8)[...])]
        case 5: return [.inline([UInt8]("llvs".utf8)[...])]
        default: return []
        }
    }

    private func build(_ numbers: [Int], on lane: LaneID, after chain: LaneChain) throws -> EntriesFileBuilder {
        var builder = EntriesFileBuilder(store: try FormatSamples.store(), lane: lane, after: chain)
        for number in numbers { try builder.append(try FormatSamples.record(number), bodies: try bodies(number)) }
        return builder
    }

    @Test("the chain is that of the other implementation, entry by entry")
    func chain() throws {
        let store = try FormatSamples.store()
        for (name, lane, numbers) in [
            ("a", try FormatSamples.laneA(), [1, 2]), ("b", try FormatSamples.laneB(), [3, 4, 5]),
        ] {
            var chain = LaneChain(startOf: lane, in: store)
            #expect(chain.digest == (try FormatSamples.digest("chain.\(name).0")))
            for (offset, number) in numbers.enumerated() {
                chain = chain.appending(try FormatSamples.record(number))
                #expect(chain.sequence == UInt64(offset + 1))
                #expect(chain.digest == (try FormatSamples.digest("chain.\(name).\(offset + 1)")))
            }
        }
    }

    @Test("a stored file is written byte for byte as the other implementation wrote it")
    func golden() throws {
        let (laneA, laneB) = (try FormatSamples.laneA(), try FormatSamples.laneB())
        let start = LaneChain(startOf: laneB, in: try FormatSamples.store())
        let seen = LaneChain(sequence: 2, digest: try FormatSamples.digest("chain.a.2"))
        let builder = try build([3, 4], on: laneB, after: start)
        let file = builder.finish(seen: [laneA: seen, laneB: start], deflating: false)
        #expect(file.bytes == (try FormatSamples.file("entries.b")))
        #expect("\(laneB)/\(file.name)" == (try FormatSamples.text("entries.b")))
        #expect(builder.after.digest == (try FormatSamples.digest("chain.b.2")))
    }

    @Test("the fixture folder is read as what was written into it")
    func fixtures() throws {
        let laneA = try FormatSamples.laneA()
        for (name, numbers) in [("entries.a", [1, 2]), ("entries.b", [3, 4]), ("entries.optional", [5])] {
            let bytes = try FormatSamples.file(name)
            let file = try #require(EntriesFile.decode(bytes).verified)
            #expect(file.store == (try FormatSamples.store()))
            #expect(file.header.range.count == numbers.count)
            #expect("\(file.lane)/\(file.fileName)" == (try FormatSamples.text(name)))
            for (entry, number) in zip(file.entries, numbers) {
                #expect(entry.record == (try FormatSamples.record(number)))
                #expect(entry.bodies == (try bodies(number)))
                for (body, change) in zip(entry.bodies, entry.record.changes.storing) {
                    if case .inline(let bytes) = body { #expect(SHA256.hash(bytes) == change.contentHash) }
                }
            }
            let seen = LaneChain(sequence: 2, digest: try FormatSamples.digest("chain.a.2"))
            #expect(file.header.seen == (file.lane == laneA ? [:] : [laneA: seen]))
            let container = try #require(FolderFile.decode(bytes).verified)
            #expect(EntriesFile.decodeHeader(container).verified == file.header)
        }
    }

    @Test("the large value of the fixture folder is put together from its pieces")
    func pieces() throws {
        let file = try #require(EntriesFile.decode(try FormatSamples.file("entries.a")).verified)
        var pieces: [Digest: ArraySlice<UInt8>] = [:]
        for path in try FormatSamples.paths() {
            if case .verified(.piece(let piece)) = FolderFileContent.decode(try FormatSamples.bytes(path)) {
                pieces[piece.digest] = piece.bytes
            }
        }
        let entry = try #require(file.entries.last)
        guard case .pieces(_, let extents) = try #require(entry.bodies.first) else {
            Issue.record("not in pieces")
            return
        }
        var hash = SHA256()
        for extent in extents {
            let piece = try #require(pieces[extent.piece])
            hash.update(piece.dropFirst(Int(extent.offset)).prefix(Int(extent.length)))
        }
        #expect(hash.digest() == (try FormatSamples.digest("large.sha256")))
        #expect(hash.digest() == entry.record.changes.storing.first?.contentHash)
    }

    @Test("deflated or not, a file is read the same")
    func coding() throws {
        let lane = try FormatSamples.laneA()
        let builder = try build([1, 2], on: lane, after: LaneChain(startOf: lane, in: try FormatSamples.store()))
        let small = builder.finish(seen: [:])
        let plain = builder.finish(seen: [:], deflating: false)
        #expect(small.bytes.count < plain.bytes.count)
        let first = try #require(EntriesFile.decode(small.bytes).verified)
        let second = try #require(EntriesFile.decode(plain.bytes).verified)
        #expect(first.header == second.header)
        #expect(first.entries.map(\.record) == second.entries.map(\.record))
        #expect(first.entries.map(\.bodies) == second.entries.map(\.bodies))
    }

    @Test("the chain has to fit: another entry, another order, another start, another end are damage")
    func wrongChain() throws {
        let bytes = try FormatSamples.file("entries.b")
        for offset in [88 + 16, 88 + 48] {
            for place in [0, 31] {
                let other = FormatSamples.flipped(bytes, bit: (offset + place) * 8)
                #expect(EntriesFile.decode(FormatSamples.sealed(other)).isDamaged)
            }
        }
        let lane = try FormatSamples.laneB()
        let start = LaneChain(startOf: lane, in: try FormatSamples.store())
        let right = try build([3, 4], on: lane, after: start).finish(seen: [:], deflating: false).bytes
        let swapped = try build([4, 3], on: lane, after: start).finish(seen: [:], deflating: false).bytes
        #expect(EntriesFile.decode(swapped).isVerified)
        let header = 88..<(88 + 80)
        var mixed = swapped
        mixed.replaceSubrange(header, with: right[header])
        #expect(EntriesFile.decode(FormatSamples.sealed(mixed)).isDamaged)
    }

    @Test("a foreign version, whose id proves nothing, is pinned by the chain")
    func foreignVersion() throws {
        let lane = try FormatSamples.laneB()
        let start = LaneChain(startOf: lane, in: try FormatSamples.store())
        let files = try [Int64(1), 2].map { time in
            let record = try VersionRecord(
                kind: .authored, parents: [], basis: .root, generation: 1, stamp: Stamp(milliseconds: 1, counter: 0),
                time: time, metadata: Version.Metadata([:]), changes: .empty, foreignID: try Version.ID("theirs"))
            var builder = EntriesFileBuilder(store: try FormatSamples.store(), lane: lane, after: start)
            try builder.append(record, bodies: [])
            return builder.finish(seen: [:], deflating: false).bytes
        }
        var mixed = files[0]
        mixed.replaceSubrange(172..., with: files[1][172...])
        for bytes in files { #expect(EntriesFile.decode(bytes).isVerified) }
        #expect(EntriesFile.decode(FormatSamples.sealed(mixed)).isDamaged)
    }

    @Test("the range is 1 to 9,999,999,999,999,999, in order, and has as many records")
    func ranges() throws {
        let bytes = try FormatSamples.file("entries.b")
        let ranges: [(UInt64, UInt64)] = [
            (0, 1), (0, 0), (2, 1), (1, 1), (1, 3), (1, 9_999_999_999_999_999), (1, .max), (.max, .max), (0, .max),
            (1 << 63, (1 << 63) + 1), (10_000_000_000_000_000, 10_000_000_000_000_001),
        ]
        for (from, to) in ranges {
            let other = FormatSamples.patched(FormatSamples.patched(bytes, at: 88, from), at: 96, to)
            #expect(EntriesFile.decode(FormatSamples.sealed(other)).isDamaged, "\(from) to \(to)")
        }
    }

    @Test("lanes that were seen ascend, are there once, and are others")
    func seen() throws {
        let (store, lane) = (try FormatSamples.store(), try FormatSamples.laneB())
        var random = FormatRandom(seed: 3)
        let seen = Dictionary(
            uniqueKeysWithValues: (0..<500).map {
                (LaneID.random(using: &random), LaneChain(sequence: UInt64($0), digest: SHA256.hash([UInt8($0 % 256)])))
            })
        let builder = try build([3], on: lane, after: LaneChain(startOf: lane, in: store))
        let bytes = builder.finish(seen: seen, deflating: false).bytes
        #expect(EntriesFile.decode(bytes).verified?.header.seen == seen)
        let first = bytes[172..<188]
        let second = bytes[228..<244]
        for (left, right) in [(second, first), (first, first), (ArraySlice(lane.bytes), second)] {
            var other = bytes
            other.replaceSubrange(172..<188, with: left)
            other.replaceSubrange(228..<244, with: right)
            #expect(EntriesFile.decode(FormatSamples.sealed(other)).isDamaged)
        }
        for count in [0, 499, 501, UInt32.max] {
            #expect(EntriesFile.decode(FormatSamples.sealed(FormatSamples.patched(bytes, at: 168, count))).isDamaged)
        }
    }

    @Test("bytes that no field accounts for are damage, unless an optional feature announces them")
    func trailing() throws {
        let bytes = try FormatSamples.file("entries.optional")
        #expect(EntriesFile.decode(bytes).isVerified)
        #expect(EntriesFile.decode(FormatSamples.sealed(FormatSamples.patched(bytes, at: 20, UInt64(0)))).isDamaged)
        let file = try #require(FolderFile.decode(try FormatSamples.file("entries.a")).verified)
        let (own, plain) = ([UInt8](file.ownHeader), [UInt8](try file.plainBody()))
        for optional: UInt64 in [0, 1] {
            let header = try FormatSamples.container(optional: optional, ownHeader: own + [9], body: plain)
            let body = try FormatSamples.container(optional: optional, ownHeader: own, body: plain + [9])
            #expect(EntriesFile.decode(header).isVerified == (optional == 1))
            #expect(EntriesFile.decode(body).isDamaged)
        }
    }

    @Test("a version of a later encoding makes the file one from a newer version")
    func laterEncoding() throws {
        let record = try FormatSamples.record(1)
        let header = FormatSamples.patched(record.header, at: 8, UInt16(2))
        let id = Version.ID(SHA256.hash(header))
        var body = ByteWriter()
        body.append([UInt8]("VREC".utf8))
        body.lengthPrefixed(id.utf8)
        body.lengthPrefixed(header)
        body.lengthPrefixed(record.changesBytes)
        body.u32(0)
        var own = ByteWriter()
        own.u64(1)
        own.u64(1)
        own.append(Digest.zero)
        own.append(Digest.zero)
        own.u32(0)
        var counted = ByteWriter()
        counted.lengthPrefixed(body.bytes)
        #expect(EntriesFile.decode(try FormatSamples.container(ownHeader: own.bytes, body: counted.bytes)).isFuture)
    }

    @Test("a builder is full once its body has passed 4 MiB, and has taken the version that passed it")
    func full() throws {
        let lane = try FormatSamples.laneA()
        var builder = EntriesFileBuilder(
            store: try FormatSamples.store(), lane: lane, after: LaneChain(startOf: lane, in: try FormatSamples.store())
        )
        #expect(builder.isEmpty && !builder.isFull)
        var last = 0
        let changes = try ChangeList(
            (0..<64).map {
                ChangeList.Entry(id: try Value.ID("v\($0 + 100)"), operation: .insert, contentHash: SHA256.hash([1]))
            })
        let record = try VersionRecord(
            kind: .authored, parents: [], basis: .root, generation: 1, stamp: Stamp(milliseconds: 1, counter: 0),
            time: 0,
            metadata: Version.Metadata([:]), changes: changes)
        let body = EntriesFile.Body.inline([UInt8](repeating: 5, count: 16_384)[...])
        while !builder.isFull {
            last = builder.length
            try builder.append(record, bodies: [EntriesFile.Body](repeating: body, count: 64))
        }
        #expect(last <= EntriesFileBuilder.intendedLength && builder.length > EntriesFileBuilder.intendedLength)
        let file = builder.finish(seen: [:])
        let decoded = try #require(EntriesFile.decode(file.bytes).verified)
        #expect(UInt64(decoded.entries.count) == builder.after.sequence)
        #expect(decoded.header.after == builder.after)
        #expect(decoded.entries.allSatisfy { $0.bodies.allSatisfy { $0 == body } })
    }

    @Test("as many bodies as insertions and updates are asked for")
    func traps() async {
        await #expect(processExitsWith: .failure) {
            let lane = LaneID.random()
            let store = StoreIdentity.random()
            var builder = EntriesFileBuilder(store: store, lane: lane, after: LaneChain(startOf: lane, in: store))
            try builder.append(try FormatSamples.record(1), bodies: [])
        }
    }
}
