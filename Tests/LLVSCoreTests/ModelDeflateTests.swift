import CPlatform
import LLVSCore
import Testing

@Suite("Model: deflate") struct ModelDeflateTests {
    private static func deflate(_ bytes: [UInt8], capacity: Int) -> [UInt8]? {
        var into = [UInt8](repeating: 0, count: capacity)
        let size = cplatform_deflate(bytes, bytes.count, &into, capacity, 6)
        return size == 0 ? nil : [UInt8](into[..<size])
    }

    private static func inflate(_ bytes: [UInt8], count: Int) -> [UInt8]? {
        var into = [UInt8](repeating: 0, count: count)
        return cplatform_inflate(bytes, bytes.count, &into, count) == 0 ? into : nil
    }

    @Test(arguments: [1, 2, 1_000, 70_000, 1_000_000]) func readsBack(count: Int) throws {
        let bytes = (0..<count).map { UInt8($0 / 7 % 50) }
        let small = try #require(Self.deflate(bytes, capacity: count + 64))
        #expect(Self.inflate(small, count: count) == bytes)
    }

    @Test func whatDoesNotShrinkIsLeft() {
        var random = ModelRandom(seed: 9)
        #expect(Self.deflate(random.bytes(1_000), capacity: 1_000) == nil)
        #expect(Self.deflate([UInt8](repeating: 0, count: 1_000), capacity: 1_000) != nil)
    }

    @Test func sizeIsExact() throws {
        let bytes = [UInt8](repeating: 5, count: 5_000)
        let small = try #require(Self.deflate(bytes, capacity: 5_000))
        #expect(Self.inflate(small, count: 4_999) == nil)
        #expect(Self.inflate(small, count: 5_001) == nil)
        #expect(Self.inflate(small, count: 0) == nil)
        #expect(Self.inflate(small + [0], count: 5_000) == nil)
        for count in 0..<small.count { #expect(Self.inflate([UInt8](small[..<count]), count: 5_000) == nil) }
        let nothing = try #require(Self.deflate([], capacity: 64))
        #expect(Self.inflate(nothing, count: 0)?.isEmpty == true)
        #expect(Self.inflate(nothing, count: 1) == nil)
    }

    @Test func damagedBytesNeverWriteBeyondTheirSize() throws {
        let seed = ModelRandom.seed(for: "Inflate fuzz")
        var random = ModelRandom(seed: seed)
        let small = try #require(Self.deflate((0..<4_000).map { UInt8($0 % 90) }, capacity: 4_000))
        for round in 0..<3_000 {
            var bytes = small
            for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(random.next() & 255) }
            // A guard behind the stated size, which must stay as it is.
            var into = [UInt8](repeating: 0xa5, count: 4_100)
            _ = cplatform_inflate(bytes, bytes.count, &into, 4_000)
            #expect(into[4_000...].allSatisfy { $0 == 0xa5 }, "seed \(seed), round \(round)")
        }
    }
}
