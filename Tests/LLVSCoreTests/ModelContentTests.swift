import Foundation
import LLVSCore
import Testing

@Suite("Model: content") struct ModelContentTests {
    /// Gives its bytes in parts of at most `step`.
    private struct Steps: ContentReader {
        var rest: ArraySlice<UInt8>
        let step: Int

        mutating func read(atMost count: Int) throws -> [UInt8] {
            let part = rest.prefix(min(count, step))
            rest = rest.dropFirst(part.count)
            return [UInt8](part)
        }
    }

    private struct Unbounded: ContentReader {
        mutating func read(atMost count: Int) throws -> [UInt8] { [UInt8](repeating: 0, count: count + 1) }
    }

    private struct Failing: ContentReader, Error {
        mutating func read(atMost count: Int) throws -> [UInt8] { throw self }
    }

    private static func stream(_ bytes: [UInt8], size: Int? = nil, step: Int) -> Value.Content {
        .stream(Value.Stream(size: UInt64(size ?? bytes.count)) { Steps(rest: bytes[...], step: step) })
    }

    private static let bytes = (0..<1_000).map { UInt8($0 % 253) }

    @Test(arguments: [1, 7, 64, 999, 1_000, 5_000]) func streamIsLikeItsBytes(step: Int) throws {
        let stream = Self.stream(Self.bytes, step: step)
        let plain = Value.Content.bytes(Self.bytes)
        #expect(stream.size == plain.size)
        // Twice: a stream starts anew each time.
        for _ in 0..<2 { #expect(try stream.allBytes() == Self.bytes) }
        #expect(try stream.digest() == plain.digest())
        #expect(try plain.digest() == SHA256.hash(Self.bytes))
        for count in [1, 64, 500, 1_000, 2_000] {
            for content in [stream, plain] {
                var pieces: [Int] = []
                var all: [UInt8] = []
                try content.forEachPiece(of: count) {
                    pieces.append($0.count)
                    all += $0
                }
                #expect(all == Self.bytes)
                #expect(pieces.dropLast().allSatisfy { $0 == count })
                #expect(pieces.count == (1_000 + count - 1) / count)
            }
        }
    }

    @Test func nothingIsContentToo() throws {
        for content in [Value.Content.bytes([]), Self.stream([], step: 1)] {
            #expect(content.size == 0)
            #expect(try content.allBytes().isEmpty)
            #expect(try content.digest() == SHA256.hash([]))
            try content.forEachPiece(of: 10) { _ in Issue.record("no piece is empty") }
        }
    }

    @Test func streamThatLiesAboutItsSizeIsRefused() {
        let wrong = [
            Self.stream(Self.bytes, size: 999, step: 100), Self.stream(Self.bytes, size: 1_001, step: 100),
            Self.stream(Self.bytes, size: 0, step: 1), Self.stream([], size: 1, step: 1),
            .stream(Value.Stream(size: .max) { Unbounded() }),
        ]
        for content in wrong {
            #expect(storeErrorCode { _ = try content.digest() } == .valueUnreadable)
            #expect(storeErrorCode { _ = try content.allBytes() } == .valueUnreadable)
        }
    }

    @Test func errorsOfTheStreamPassThrough() {
        let reading = Value.Content.stream(Value.Stream(size: 1) { Failing() })
        let opening = Value.Content.stream(Value.Stream(size: 1) { throw Failing() })
        #expect(throws: Failing.self) { try reading.digest() }
        #expect(throws: Failing.self) { try opening.allBytes() }
    }

    @Test func valuesAreMadeOfWhatIsAtHand() throws {
        #expect(try Value(id: "a", "né").content.allBytes() == [0x6e, 0xc3, 0xa9])
        #expect(try Value(id: "a", data: Data([1, 2])).content.allBytes() == [1, 2])
        #expect(try Value(id: "a", bytes: [3]).content.allBytes() == [3])
    }

    @Test func everyChangeNamesItsValue() {
        let reference = Value.Reference(id: "a", contentHash: .zero, version: .root)
        let changes: [Value.Change] = [
            .insert(Value(id: "a", "")), .update(Value(id: "a", "")), .remove("a"), .preserve(reference),
            .preserveRemoval("a"),
        ]
        #expect(changes.allSatisfy { $0.valueID == "a" })
    }
}
