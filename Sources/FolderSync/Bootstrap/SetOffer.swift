import LLVSCore

extension ExchangeZones {
    /// File of another's manifest → ``SetOffer``: it was read.
    static let offer = KeyedZone("f_offer")

    func offers(in reader: any StorageReader) throws -> [String: SetOffer] {
        var offers: [String: SetOffer] = [:]
        try scan(Self.offer, in: reader) { key, bytes in
            offers[String(decoding: key, as: UTF8.self)] = try SetOffer(decoding: bytes)
            return true
        }
        return offers
    }
}

/// What a snapshot of another device is said to have, so that its manifest is read once, however often it is asked whether the
/// set would help.
struct SetOffer: Equatable {
    /// The digest of the manifest.
    let manifest: Digest
    /// The size of the file that it was read from.
    let size: UInt64
    let versions: UInt64
    /// How far the set has each lane.
    let lanes: [LaneID: LaneChain]

    init(_ manifest: SetManifest, digest: Digest, size: UInt64) {
        self.manifest = digest
        self.size = size
        versions = manifest.versions
        lanes = manifest.lanes
    }

    /// How many entries of other lanes the set has beyond what was read of them without a gap, and whether any are of a lane that
    /// nobody writes any more.
    func entriesBeyond(
        _ knowledge: LaneKnowledge, in store: StoreIdentity
    ) throws -> (count: UInt64, ofEndedLane: Bool) {
        var (count, isOfEnded): (UInt64, Bool) = (0, false)
        for (lane, chain) in lanes where lane != knowledge.zones.lane {
            let here = try knowledge.contiguous(lane, in: store).sequence
            guard chain.sequence > here else { continue }
            // What is stated may be anything.
            let (sum, isOver) = count.addingReportingOverflow(chain.sequence - here)
            count = isOver ? .max : sum
            isOfEnded = try isOfEnded || knowledge.isRetired(lane)
        }
        return (count, isOfEnded)
    }

    var encoded: [UInt8] {
        var out = ByteWriter()
        out.u8(1)
        out.append(manifest)
        out.u64(size)
        out.u64(versions)
        out.chains(lanes)
        return out.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "record of a snapshot in the folder")
        guard try reader.u8() == 1 else { throw reader.failure("is of another form") }
        manifest = try reader.digest()
        size = try reader.u64()
        versions = try reader.u64()
        lanes = try reader.chains()
        try reader.expectEnd()
    }
}
