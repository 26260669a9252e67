import LLVSCore
import Testing

@testable import FolderSync

/// A valid file taken apart, to be changed in one of its parts and put together again with lengths and a hash that are right: so
/// the decoders behind the container get to see it.
struct FormatMutant {
    var header: FolderFile.Header
    var own: [UInt8]
    var body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let file = try #require(FolderFile.decode(bytes).verified)
        header = file.header
        own = [UInt8](file.ownHeader)
        body = [UInt8](try file.plainBody())
    }

    /// Every kind of file that a lane can have, by name.
    static func originals() throws -> [(name: String, bytes: [UInt8])] {
        var found: [(String, [UInt8])] = []
        for name in ["entries.a", "entries.b", "entries.optional", "piece.stored", "piece.deflated"] {
            found.append((name, try FormatSamples.file(name)))
        }
        for name in ["note.retired", "note.adopted", "note.carried"] {
            found.append((name, try FormatSamples.vector(name)))
        }
        let bodies = [try SnapshotSetFormatTests.manifest().encoded, try SnapshotSetFormatTests.record()]
        for (index, body) in bodies.enumerated() {
            let place = SnapshotPiece.Place(manifest: SHA256.hash(bodies[0]), index: index + 1, count: 2)
            let file = SnapshotPiece.encode(
                body[...], at: place, store: try FormatSamples.store(), lane: try FormatSamples.laneA())
            found.append(("snapshot.\(index + 1)", file.bytes))
        }
        return found
    }

    /// The bytes after one to four changes.
    static func bytes(from original: [UInt8], _ random: inout FormatRandom) throws -> [UInt8] {
        var mutant = try FormatMutant(original)
        for _ in 0..<Int.random(in: 1...4, using: &random) { mutant.change(&random) }
        return mutant.sealed(&random)
    }

    private mutating func change(_ random: inout FormatRandom) {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: header.kind = FolderFile.Kind(rawValue: UInt8.random(in: 0...6, using: &random))
        case 1: header.optionalFeatures ^= 1 << UInt64.random(in: 0...63, using: &random)
        case 2: header.requiredFeatures = 1 << UInt64.random(in: 0...63, using: &random)
        case 3: body += body.suffix(Int.random(in: 1...200, using: &random))
        case 4: own += own.suffix(Int.random(in: 1...60, using: &random))
        case 5...9: Self.spoil(&own, &random)
        default: Self.spoil(&body, &random)
        }
    }

    /// Bits, bytes, counts and lengths, missing and inserted bytes, and pieces in another place.
    static func spoil(_ bytes: inout [UInt8], _ random: inout FormatRandom) {
        guard bytes.count > 8 else { return bytes.append(contentsOf: random.bytes(9)) }
        let place = Int.random(in: 0..<bytes.count - 8, using: &random)
        let number = [0, 1, 2, UInt64(bytes.count), 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 53, .max >> 1, .max, random.next()]
            .randomElement(using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes = FormatSamples.patched(bytes, at: place, number ?? 0)
        case 3: bytes = FormatSamples.patched(bytes, at: place, UInt32(truncatingIfNeeded: number ?? 0))
        case 4: bytes.removeSubrange(place..<place + Int.random(in: 1...8, using: &random))
        case 5: bytes.insert(contentsOf: random.bytes(Int.random(in: 1...8, using: &random)), at: place)
        case 6: bytes.removeLast(Int.random(in: 1...bytes.count / 2, using: &random))
        default:
            let other = Int.random(in: 0..<bytes.count - 8, using: &random)
            bytes.replaceSubrange(place..<place + 8, with: bytes[other..<other + 8])
        }
    }

    private func sealed(_ random: inout FormatRandom) -> [UInt8] {
        var header = header
        var stored = body
        if let deflated = Bool.random(using: &random) ? Deflate.deflate(body[...]) : nil {
            (stored, header.coding) = ([UInt8](deflated), FolderFile.Header.deflated)
            if Int.random(in: 0..<8, using: &random) == 0 { Self.spoil(&stored, &random) }
        } else {
            header.coding = FolderFile.Header.stored
        }
        header.plainLength = UInt64(body.count)
        if Int.random(in: 0..<16, using: &random) == 0 { header.plainLength = random.next() >> 40 }
        header.storedLength = UInt64(stored.count)
        header.ownHeaderLength = UInt32(own.count)
        header.totalLength = UInt64(FolderFile.Header.byteCount + own.count + stored.count + Digest.byteCount)
        var writer = ByteWriter()
        header.encode(into: &writer)
        writer.append(own)
        writer.append(stored)
        writer.append(Digest.zero)
        return FormatSamples.sealed(writer.bytes)
    }

    /// A card with another text and the hash of that.
    static func card(_ random: inout FormatRandom) throws -> [UInt8] {
        let original = IdentityCard(store: try FormatSamples.store()).encoded
        let line = 7 + Base32.characterCount(ofBytes: Digest.byteCount) + 1
        var head = [UInt8](original.dropLast(line))
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            if Bool.random(using: &random) {
                spoil(&head, &random)
            } else {
                // The number of its floor.
                head.replaceSubrange(
                    28..<29, with: "\(random.next() >> UInt64.random(in: 0...63, using: &random))".utf8)
            }
        }
        return head + [UInt8]("sha256 ".utf8) + [UInt8](SHA256.hash(head).base32.utf8) + [10]
    }
}
