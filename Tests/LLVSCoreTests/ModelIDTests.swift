import LLVSCore
import Testing

@Suite("Model: ids") struct ModelIDTests {
    private static let odd = [
        "a/b", "aLLVSSLASHb", "..versions", "../x", String(repeating: "x", count: 300),
        String(repeating: "é", count: 10_000), "\0", "a\0b", "a\nb", "caf\u{e9}", "cafe\u{301}", "Case", "case",
        " ", "~", "\u{10ffff}", "\u{feff}", String(repeating: "z", count: 65_535),
    ]

    private static let notUTF8: [[UInt8]] = [
        [0xff], [0x80], [0xc3], [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x82, 0x82, 0xac],
        [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0x61, 0xe2, 0x82], [0xc3, 0x28],
    ]

    @Test func oddIDsAreDifferentAndReadBack() throws {
        let ids = try Self.odd.map { try Value.ID($0) }
        #expect(Set(ids).count == Self.odd.count)
        for (id, text) in zip(ids, Self.odd) {
            #expect([UInt8](id.rawValue.utf8) == [UInt8](text.utf8))
            #expect(try Value.ID(utf8: id.utf8) == id)
        }
        let sorted = ids.sorted()
        #expect(sorted.map(\.utf8) == ids.map(\.utf8).sorted { $0.lexicographicallyPrecedes($1) })
        let entries = ids.map { ChangeList.Entry(id: $0, operation: .insert, contentHash: SHA256.hash($0.utf8)) }
        let list = try ChangeList(entries)
        #expect(list.entries.map(\.id) == sorted)
        #expect(try ChangeList(decoding: list.encoded) == list)
    }

    @Test func valueIDHasLimits() {
        #expect(storeErrorCode { _ = try Value.ID(String()) } == .invalidValueID)
        #expect(storeErrorCode { _ = try Value.ID(utf8: []) } == .invalidValueID)
        #expect(storeErrorCode { _ = try Value.ID(String(repeating: "x", count: 65_536)) } == .invalidValueID)
        for bytes in Self.notUTF8 {
            #expect(storeErrorCode { _ = try Value.ID(utf8: bytes) } == .invalidValueID, "\(bytes)")
            #expect(storeErrorCode { _ = try Version.ID(utf8: bytes) } == .invalidVersionID, "\(bytes)")
        }
    }

    @Test func composedAndDecomposedDiffer() throws {
        let (composed, decomposed): (Value.ID, Value.ID) = ("caf\u{e9}", "cafe\u{301}")
        #expect(composed != decomposed)
        #expect(decomposed < composed)
        #expect(try Version.ID("caf\u{e9}") != Version.ID("cafe\u{301}"))
        let (one, other): (Branch, Branch) = ("caf\u{e9}", "cafe\u{301}")
        #expect(one != other)
        #expect(!(one == other))
        #expect(other < one)
        #expect(Set([one, other]).count == 2)
    }

    @Test func literalThatIsNoIDTraps() async {
        await #expect(processExitsWith: .failure) {
            let id: Value.ID = ""
            print(id)
        }
    }

    @Test func nativeAndForeignAreToldApart() throws {
        let native = Version.ID(SHA256.hash([1]))
        let text = native.description
        #expect(native.isNative)
        #expect(try Version.ID(text) == native)
        #expect(try Version.ID(utf8: native.utf8) == native)
        let almost = [
            text.uppercased(), String(text.dropLast()), text + "a", String(text.dropLast()) + "b",
            " " + text.dropFirst(), "x", "7F3A9C00-0000-4000-8000-000000000000", String(repeating: "é", count: 127),
            "\0", "../x",
        ]
        for foreign in almost {
            let id = try Version.ID(foreign)
            #expect(!id.isNative, "\(foreign)")
            #expect(id.digest == nil)
            #expect(id != native)
            #expect(id.description == foreign)
        }
        #expect(storeErrorCode { _ = try Version.ID("") } == .invalidVersionID)
        #expect(storeErrorCode { _ = try Version.ID(String(repeating: "é", count: 128)) } == .invalidVersionID)
        #expect(storeErrorCode { _ = try Version.ID(utf8: .init(repeating: 0xff, count: 999)) } == .invalidVersionID)
    }

    @Test func versionIDsOrderByTheirText() throws {
        var random = ModelRandom(seed: 2)
        var ids = try ["a", "z", "2", "7", "~", "\u{e9}", "Zz"].map { try Version.ID($0) }
        for _ in 0..<300 {
            var bytes = random.bytes(32)
            ids.append(Version.ID(SHA256.hash(bytes)))
            // A neighbour that differs in one bit, anywhere.
            ids.append(Version.ID(try #require(Digest(bytes: bytes))))
            bytes[Int.random(in: 0..<32, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            ids.append(Version.ID(try #require(Digest(bytes: bytes))))
        }
        for (left, right) in zip(ids, ids.dropFirst()) {
            #expect((left < right) == left.utf8.lexicographicallyPrecedes(right.utf8), "\(left) \(right)")
        }
        #expect(ids.sorted().map(\.utf8) == ids.map(\.utf8).sorted { $0.lexicographicallyPrecedes($1) })
        #expect(!(ids[9] < ids[9]))
    }
}
