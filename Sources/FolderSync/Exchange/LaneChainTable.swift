import LLVSCore

/// How far lanes go, as records of an exchange have it: u32 count, then for each lane, ascending, its 16 bytes, u64 number, 32
/// bytes of chain.
extension ByteWriter {
    mutating func chains(_ lanes: [LaneID: LaneChain]) {
        count(lanes.count)
        for (lane, chain) in lanes.sorted(by: { $0.key < $1.key }) {
            append(lane.bytes)
            u64(chain.sequence)
            append(chain.digest)
        }
    }
}

extension ByteReader {
    mutating func chains() throws -> [LaneID: LaneChain] {
        var lanes: [LaneID: LaneChain] = [:]
        for _ in 0..<(try count(ofEntriesOf: RandomName.byteCount + 8 + Digest.byteCount)) {
            guard let lane = LaneID(bytes: try bytes(RandomName.byteCount)) else { throw failure("names no lane") }
            lanes[lane] = LaneChain(sequence: try u64(), digest: try digest())
        }
        return lanes
    }
}
