import Foundation
import LLVSCore
import Testing

/// Foreign bytes: a decoder throws the store's error or returns what encodes to the same bytes, whatever it is given.
@Suite("Model: foreign bytes") struct ModelFuzzTests {
    private static let anyID = Version.ID(SHA256.hash([0]))

    /// The bytes of the fixture, each with the name of its decoder.
    private static func samples() throws -> (headers: [[UInt8]], changes: [[UInt8]]) {
        let vectors = try ModelVector.load().vectors
        return (try vectors.map { try $0.bytes("=header") }, try vectors.map { try $0.bytes("=changes") })
    }

    /// Whether the decoder keeps its word on `bytes`, which are not known to be good.
    private static func keepsItsWord(header bytes: [UInt8]) -> Bool {
        do {
            return try Version(decoding: bytes, id: anyID, verifyingID: false).encoded == bytes
        } catch {
            return [.invalidVersion, .fromNewerVersion].contains(error.code)
        }
    }

    private static func keepsItsWord(changes bytes: [UInt8]) -> Bool {
        do {
            return try ChangeList(decoding: bytes).encoded == bytes
        } catch {
            return error.code == .invalidVersion
        }
    }

    @Test func cutAnywhereIsRefused() throws {
        let (headers, changes) = try Self.samples()
        for header in headers {
            for count in 0..<header.count {
                let cut = [UInt8](header[..<count])
                let code = storeErrorCode { _ = try Version(decoding: cut, id: Self.anyID, verifyingID: false) }
                #expect(code == .invalidVersion, "\(count) bytes")
            }
        }
        for list in changes {
            for count in 0..<list.count {
                let code = storeErrorCode { _ = try ChangeList(decoding: [UInt8](list[..<count])) }
                #expect(code == .invalidVersion, "\(count) bytes")
            }
        }
    }

    @Test func anythingMoreIsRefused() throws {
        let (headers, changes) = try Self.samples()
        for header in headers {
            let code = storeErrorCode { _ = try Version(decoding: header + [0], id: Self.anyID, verifyingID: false) }
            #expect(code == .invalidVersion)
        }
        for list in changes {
            #expect(storeErrorCode { _ = try ChangeList(decoding: list + [0]) } == .invalidVersion)
        }
    }

    @Test func anyFlippedBitIsRefusedUnderANativeID() throws {
        for vector in try ModelVector.load().vectors where !vector.isForeign {
            let (header, changes) = (try vector.bytes("=header"), try vector.bytes("=changes"))
            let id = try Version.ID(try vector.text("=id"))
            func refuses(_ header: [UInt8], _ changes: [UInt8]) -> Bool {
                storeErrorCode { _ = try VersionRecord(decodingHeader: header, changes: changes, id: id) }
                    == .invalidVersion
            }
            #expect(!refuses(header, changes))
            for bit in 0..<header.count * 8 where !refuses(header.flipping(bit), changes) {
                Issue.record("\(vector.title): header bit \(bit)")
            }
            for bit in 0..<changes.count * 8 where !refuses(header, changes.flipping(bit)) {
                Issue.record("\(vector.title): changes bit \(bit)")
            }
        }
    }

    @Test func anyFlippedBitIsRefusedOrAnotherVersion() throws {
        let (headers, changes) = try Self.samples()
        for header in headers {
            for bit in 0..<header.count * 8 where !Self.keepsItsWord(header: header.flipping(bit)) {
                Issue.record("header bit \(bit) of \(header.hex)")
            }
        }
        for list in changes {
            for bit in 0..<list.count * 8 where !Self.keepsItsWord(changes: list.flipping(bit)) {
                Issue.record("changes bit \(bit) of \(list.hex)")
            }
        }
    }

    @Test func randomDamageIsRefusedOrAnotherVersion() throws {
        let seed = ModelRandom.seed(for: "Model fuzz")
        var random = ModelRandom(seed: seed)
        let (headers, changes) = try Self.samples()
        for round in 0..<20_000 {
            let header = random.damage(headers)
            if !Self.keepsItsWord(header: header) { Issue.record("seed \(seed), round \(round): \(header.hex)") }
            let list = random.damage(changes)
            if !Self.keepsItsWord(changes: list) { Issue.record("seed \(seed), round \(round): \(list.hex)") }
        }
    }

    @Test func otherSpellingsAreRefused() throws {
        let (headers, changes) = try Self.samples()
        let (withMetadata, merge, list) = (headers[1], headers[3], changes[0])
        // Two entries, two parents, two keys the other way round; a repeated one.
        let reordered = [UInt8](list[..<12] + list[82..<152] + list[12..<82] + list[152...])
        let repeated = [UInt8](list[..<12] + list[12..<82] + list[12..<82] + list[152...])
        #expect(list.count == 12 + 70 + 70 + 79)
        for bytes in [reordered, repeated] {
            #expect(storeErrorCode { _ = try ChangeList(decoding: bytes) } == .invalidVersion)
        }
        let swapped = [UInt8](merge[..<12] + merge[68..<124] + merge[12..<68] + merge[124...])
        let doubled = [UInt8](merge[..<12] + merge[12..<68] + merge[12..<68] + merge[124...])
        // After one parent and fixed fields: count, an empty key and value, then "\0nul".
        let start = 12 + 56 + 1 + 8 + 12 + 8 + 4
        #expect([UInt8](withMetadata[start..<start + 16]).hex == "0000000000000000" + "04000000" + "006e756c")
        let empty = withMetadata[start..<start + 8]
        let late = [UInt8](withMetadata[..<start] + withMetadata[(start + 8)..<(start + 22)] + empty)
        let keys = late + withMetadata[(start + 22)...]
        for bytes in [swapped, doubled, keys] {
            let code = storeErrorCode { _ = try Version(decoding: bytes, id: Self.anyID, verifyingID: false) }
            #expect(code == .invalidVersion)
        }
    }

    #if os(Linux)
        /// In a process of its own, whose greatest size so far the kernel knows.
        @Test func hugeLengthsAllocateNothing() async {
            await #expect(processExitsWith: .success) {
                let (headers, changes) = try ModelFuzzTests.samples()
                let before = try ModelFuzzTests.peakKilobytes()
                for (sample, isHeader) in headers.map({ ($0, true) }) + changes.map({ ($0, false) }) {
                    for position in 8..<max(9, sample.count - 3) {
                        var bytes = sample
                        bytes.replaceSubrange(position..<min(position + 4, bytes.count), with: [255, 255, 255, 255])
                        let kept =
                            isHeader
                            ? ModelFuzzTests.keepsItsWord(header: bytes) : ModelFuzzTests.keepsItsWord(changes: bytes)
                        #expect(kept, "byte \(position)")
                    }
                }
                #expect(try ModelFuzzTests.peakKilobytes() - before < 100_000)
            }
        }

        /// The most address space this process has had.
        private static func peakKilobytes() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmPeak:") })
            return try #require(Int(line.filter(\.isNumber)))
        }
    #endif
}

extension [UInt8] {
    fileprivate func flipping(_ bit: Int) -> [UInt8] {
        var copy = self
        copy[bit / 8] ^= 1 << UInt8(bit % 8)
        return copy
    }
}

extension ModelRandom {
    /// One of `samples` with a few bytes set, inserted, removed, taken from another sample, or made a huge number.
    fileprivate mutating func damage(_ samples: [[UInt8]]) -> [UInt8] {
        guard var bytes = samples.randomElement(using: &self), let other = samples.randomElement(using: &self) else {
            return []
        }
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            let start = Int.random(in: 0...bytes.count, using: &self)
            let end = Int.random(in: start...Swift.min(start + 8, bytes.count), using: &self)
            let from = Int.random(in: 0...other.count, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes.replaceSubrange(start..<end, with: self.bytes(end - start))
            case 1: bytes.insert(contentsOf: self.bytes(end - start), at: start)
            case 2: bytes.removeSubrange(start..<end)
            case 3: bytes.replaceSubrange(start..<end, with: other[from..<Swift.min(from + 64, other.count)])
            case 4: bytes.replaceSubrange(start..<end, with: [255, 255, 255, 255])
            default: bytes = [UInt8](bytes[..<Swift.min(12, bytes.count)]) + self.bytes(Int(next() % 200))
            }
        }
        return bytes
    }
}
