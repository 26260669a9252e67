import LLVSCore
import Testing

@Suite("Model: byte readers") struct ModelByteReaderTests {
    @Test func whatIsWrittenReadsBack() throws {
        var writer = ByteWriter()
        writer.u8(1)
        writer.u16(0x0203)
        writer.u32(0x0405_0607)
        writer.u64(0x08090a0b_0c0d0e0f)
        writer.i64(-2)
        writer.lengthPrefixed([9, 8])
        writer.append([7])
        writer.append([1, 2, 3][1...])
        writer.append(SHA256.hash([]))
        writer.count(3)
        #expect(writer.bytes.prefix(15).map { $0 } == [1, 3, 2, 7, 6, 5, 4, 0xf, 0xe, 0xd, 0xc, 0xb, 0xa, 9, 8])
        // The second is a slice that does not start at 0.
        for bytes in [writer.bytes[...], ([99] + writer.bytes)[1...]] {
            var reader = ByteReader(bytes, of: "sample")
            #expect(try reader.u8() == 1)
            #expect(try reader.u16() == 0x0203)
            #expect(try reader.u32() == 0x0405_0607)
            #expect(try reader.u64() == 0x08090a0b_0c0d0e0f)
            #expect(try reader.i64() == -2)
            #expect(try reader.lengthPrefixed() == [9, 8])
            #expect(try reader.bytes(1) == [7])
            try reader.expect([2, 3])
            #expect(try reader.digest() == SHA256.hash([]))
            #expect(reader.remaining == 4)
            #expect(storeErrorCode { try reader.expectEnd() } == .damaged)
            #expect(try reader.u32() == 3)
            try reader.expectEnd()
            #expect(reader.position == writer.bytes.count)
        }
    }

    @Test func endIsAnErrorThatNamesWhatWasRead() throws {
        func error(_ read: (inout ByteReader) throws -> Void) -> StoreError? {
            var reader = ByteReader([0xff, 0xff, 0xff, 0xff, 1], of: "list of apples")
            do {
                try read(&reader)
                return nil
            } catch {
                return error as? StoreError
            }
        }
        let reads: [(inout ByteReader) throws -> Void] = [
            { _ = try $0.u64() },
            { _ = try $0.i64() },
            { _ = try $0.digest() },
            { _ = try $0.bytes(6) },
            { _ = try $0.slice(.max) },
            { _ = try $0.bytes(-1) },
            { _ = try $0.lengthPrefixed() },
            { _ = try $0.lengthPrefixedSlice() },
            { _ = try $0.count(ofEntriesOf: 1) },
            { try $0.expect([0xff, 0]) },
            { try $0.expectEnd() },
        ]
        for (index, read) in reads.enumerated() {
            let error = try #require(error(read), "read \(index)")
            #expect(error.code == .damaged)
            #expect(error.what.hasPrefix("the list of apples "), "\(error)")
        }
        let end = try #require(error { _ = try $0.u64() })
        #expect(
            end.description
                == "the list of apples has no 8 bytes at byte 0 of 5; take it again from another copy")
    }

    @Test func bytesOrderAsUnsignedNumbers() {
        var random = ModelRandom(seed: 4)
        for _ in 0..<2_000 {
            let shared = random.bytes(Int.random(in: 0..<20, using: &random))
            let left = shared + random.bytes(Int.random(in: 0..<3, using: &random))
            let right = shared + random.bytes(Int.random(in: 0..<3, using: &random))
            #expect(left.precedes(right) == left.lexicographicallyPrecedes(right))
        }
    }
}
