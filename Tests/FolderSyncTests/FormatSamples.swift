import Foundation
import LLVSCore
import Testing

@testable import FolderSync

/// The fixture folder of format 1, which another implementation wrote, and ways to spoil files.
enum FormatSamples {
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// A file of the fixture folder.
    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: fixtures.appending(path: "format-1").appending(path: path)))
    }

    /// The paths of all files of the fixture folder.
    static func paths() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: fixtures.appending(path: "format-1").path)
            .filter { $0.contains(".") }.sorted()
    }

    /// What the other implementation says about its folder.
    static func text(_ name: String) throws -> String {
        let lines = try String(contentsOf: fixtures.appending(path: "format-1.txt"), encoding: .utf8).split(
            separator: "\n")
        return String(try #require(lines.first { $0.hasPrefix(name + " ") }).dropFirst(name.count + 1))
    }

    static func vector(_ name: String) throws -> [UInt8] {
        let digits = Array(try text(name))
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
        }
    }

    static func digest(_ name: String) throws -> Digest { try #require(Digest(bytes: try vector(name))) }

    /// The bytes of the file that the vector names.
    static func file(_ name: String) throws -> [UInt8] { try bytes(try text(name)) }

    static func store() throws -> StoreIdentity { try #require(StoreIdentity(bytes: [UInt8](0..<16))) }
    static func laneA() throws -> LaneID { try #require(LaneID(bytes: [UInt8](16..<32))) }
    static func laneB() throws -> LaneID { try #require(LaneID(bytes: [UInt8](240...255))) }

    /// The native versions 1 to 4 and the foreign version 5 of the folder.
    static func record(_ number: Int) throws -> VersionRecord {
        try VersionRecord(
            decodingHeader: try vector("version.\(number).bytes"), changes: try vector("version.\(number).changes"),
            id: try Version.ID(try text("version.\(number).id")), allowingForeign: true)
    }

    /// These bytes with a trailer that is right for them, as only a writer could have made it.
    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let head = bytes.dropLast(32)
        return head + SHA256.hash(head).bytes
    }

    /// `bytes` with a little-endian integer put at `offset`.
    static func patched<Integer: FixedWidthInteger>(_ bytes: [UInt8], at offset: Int, _ value: Integer) -> [UInt8] {
        var bytes = bytes
        withUnsafeBytes(of: value.littleEndian) {
            bytes.replaceSubrange(offset..<offset + MemoryLayout<Integer>.size, with: $0)
        }
        return bytes
    }

    /// `bytes` with one bit the other way round.
    static func flipped(_ bytes: [UInt8], bit: Int) -> [UInt8] {
        var bytes = bytes
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }

    /// A container with a body of the caller's choice and a correct trailer, whatever is in it.
    static func container(
        kind: UInt8 = 1, coding: UInt8 = 0, required: UInt64 = 0, optional: UInt64 = 0, version: UInt16 = 1,
        ownHeader: [UInt8] = [], plainLength: UInt64? = nil, body: [UInt8]
    ) throws -> [UInt8] {
        var writer = ByteWriter()
        FolderFile.Header(
            containerVersion: version, kind: FolderFile.Kind(rawValue: kind), coding: coding,
            requiredFeatures: required,
            optionalFeatures: optional, totalLength: UInt64(88 + ownHeader.count + body.count + 32), store: try store(),
            lane: try laneA(), plainLength: plainLength ?? UInt64(body.count), storedLength: UInt64(body.count),
            ownHeaderLength: UInt32(ownHeader.count)
        ).encode(into: &writer)
        writer.append(ownHeader)
        writer.append(body)
        writer.append(Digest.zero)
        return sealed(writer.bytes)
    }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct FormatRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}

extension FolderFileOutcome {
    var isArriving: Bool { if case .arriving = self { true } else { false } }
    var isDamaged: Bool { if case .damaged = self { true } else { false } }
    var isForeign: Bool { if case .foreign = self { true } else { false } }
    var isFuture: Bool { if case .future = self { true } else { false } }
    var isVerified: Bool { verified != nil }
}
