import LLVSCore
import Testing

@testable import FolderSync

@Suite("Bodies in entries")
struct FormatBodyTests {
    private func read(_ write: (inout ByteWriter) -> Void) -> EntriesFile.Body? {
        var writer = ByteWriter()
        write(&writer)
        var reader = ByteReader(writer.bytes, of: "body")
        do {
            let body = try EntriesFile.Body(from: &reader)
            try reader.expectEnd()
            return body
        } catch {
            return nil
        }
    }

    private func pieces(_ length: UInt64, _ extents: [(offset: UInt64, length: UInt64)], count: UInt32? = nil)
        -> EntriesFile.Body?
    {
        read { writer in
            writer.u8(1)
            writer.u64(length)
            writer.u32(count ?? UInt32(extents.count))
            for extent in extents {
                writer.append(SHA256.hash([1]))
                writer.u64(extent.offset)
                writer.u64(extent.length)
            }
        }
    }

    private func inline(_ length: UInt64, _ count: Int) -> EntriesFile.Body? {
        read { writer in
            writer.u8(0)
            writer.u64(length)
            writer.append([UInt8](repeating: 1, count: count))
        }
    }

    @Test("up to 16 KiB are inline, and no length is believed without its bytes")
    func inline() {
        #expect(inline(0, 0) == .inline([]))
        #expect(inline(16_384, 16_384)?.length == 16_384)
        for (length, count) in [(16_385, 16_385), (1, 0), (0, 1), (16_384, 16_383), (1 << 63, 5), (.max, 5)]
            as [(UInt64, Int)]
        {
            #expect(inline(length, count) == nil)
        }
    }

    @Test("extents lie in pieces of 8 MiB and add up")
    func extents() {
        let most = UInt64(Piece.greatestByteCount)
        #expect(pieces(most + 1, [(0, most), (most - 1, 1)])?.length == most + 1)
        #expect(pieces(0, []) != nil)
        #expect(pieces(1, []) == nil)
        #expect(pieces(0, [(0, 0)]) == nil)
        #expect(pieces(most + 1, [(0, most + 1)]) == nil)
        #expect(pieces(1, [(most, 1)]) == nil)
        #expect(pieces(2, [(0, 1)]) == nil)
        #expect(pieces(1 << 63, [(0, 1 << 63)]) == nil)
        #expect(pieces(0, [(0, 1 << 63), (0, 1 << 63)]) == nil)
        #expect(pieces(5, [(.max - 4, 5)]) == nil)
        #expect(pieces(5, [(.max, 5)]) == nil)
    }

    @Test("a number of extents that are not there is refused", arguments: [2, 1 << 20, 1 << 31, .max] as [UInt32])
    func counts(_ count: UInt32) {
        #expect(pieces(1, [(0, 1)], count: count) == nil)
    }

    @Test("another form is damage", arguments: [UInt8(2), 3, 128, 255])
    func forms(_ form: UInt8) {
        #expect(
            read { writer in
                writer.u8(form)
                writer.u64(0)
                writer.u32(0)
            } == nil)
    }
}
