import Foundation
import LLVSCore
import Testing

/// Numbers and digests that no version may change: other devices compute the same ones. The vectors were made by
/// Fixtures/map_vectors.py, which shares no code with the package.
@Suite("Map: frozen numbers") struct MapVectorTests {
    @Test("the thresholds are those of the vectors")
    func thresholdDigest() {
        let bytes = MapBoundary.thresholds.flatMap { threshold in
            withUnsafeBytes(of: threshold.littleEndian) { [UInt8]($0) }
        }
        #expect(hex(SHA256.hash(bytes)) == "b565e10be111829afe5b51cf0ddb1581cabe0f9143cc6f66ef5d7a110c2eab0d")
    }

    @Test("the thresholds follow the distribution as closely as a Double can tell")
    func thresholdFormula() {
        #expect(MapBoundary.thresholds.count == 48)
        #expect(MapBoundary.thresholds.first == 0)
        #expect(MapBoundary.thresholds.last == .max)
        for count in 2...47 {
            let (fourth, before) = (pow(Double(count), 4), pow(Double(count - 1), 4))
            let probability = -expm1(-(fourth - before) / 65_536)
            let share = Double(MapBoundary.thresholds[count - 1]) / 0x1p64
            #expect(abs(share / probability - 1) < 1e-14, "after entry \(count)")
        }
    }

    @Test(
        "digests of numbered ids whose content hash is the SHA-256 of the id",
        arguments: [
            (0, 4, "2cd3f7587fa1d992ade28ed47ed6c86b85b5cc5b233e9426cb4db75871ac0059"),
            (1, 4, "4cd693b180d4a061a4794e9ca99a1bd634323d553020bc5aecd40388b77a3868"),
            (1000, 4, "7b4ecad13d9dcdab4d6abcc6166296598bec60f6f12d01ff64977aaa9bfc9495"),
            (100_000, 6, "e4c88cf12ea562a33d494f3fb697f99d80d2032e16d9312ef2b5e9c888d00811"),
        ])
    func digests(count: Int, digits: Int, digest: String) throws {
        let fixture = MapFixture()
        var edits: [(Value.ID, MapEdit)] = []
        for number in 0..<count {
            let text = String(number + 1)
            let id = try Value.ID("key-" + String(repeating: "0", count: max(0, digits - text.count)) + text)
            let hash = SHA256.hash(id.utf8)
            edits.append((id, .put(MapReference(contentHash: hash, version: 1, body: Int64(number)))))
        }
        let root = try fixture.apply(edits)
        #expect(hex(root.digest) == digest)
        #expect(root.count == count)
        try fixture.map.checkInvariants(of: root, reader: fixture.rows.reader)
    }

    private func hex(_ digest: Digest) -> String {
        digest.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
