import LLVSCore

/// What was read of a lane and how far it is said to go.
struct LaneKnowledge {
    let zones: ExchangeZones
    let reader: any StorageReader

    /// A stretch of a lane that was read.
    struct Range {
        let before: LaneChain
        let after: LaneChain

        var encoded: [UInt8] {
            var out = ByteWriter()
            out.u64(after.sequence)
            out.append(before.digest)
            out.append(after.digest)
            return out.bytes
        }

        init(before: LaneChain, after: LaneChain) {
            self.before = before
            self.after = after
        }

        init(from first: UInt64, decoding bytes: [UInt8]) throws {
            var reader = ByteReader(bytes, of: "record of a lane")
            let last = try reader.u64()
            guard first >= 1, last >= first else { throw reader.failure("has no range") }
            before = LaneChain(sequence: first - 1, digest: try reader.digest())
            after = LaneChain(sequence: last, digest: try reader.digest())
            try reader.expectEnd()
        }
    }

    /// The longest stretch read that starts at this number, or nil. Files may overlap: a longer one stands for a shorter.
    func range(of lane: LaneID, from first: UInt64) throws -> Range? {
        try reader.value(zones.key(lane, first), in: ExchangeZones.range).map {
            try Range(from: first, decoding: $0)
        }
    }

    /// Whether a stretch with these chains was read, whatever its name was.
    func has(_ range: Range, of lane: LaneID) throws -> Bool {
        guard let known = try self.range(of: lane, from: range.before.sequence + 1) else { return false }
        return known.before == range.before && known.after == range.after
    }

    /// How far the lane was read without a gap, and the chain there.
    func contiguous(_ lane: LaneID, in store: StoreIdentity) throws -> LaneChain {
        var end = LaneChain(startOf: lane, in: store)
        while let next = try range(of: lane, from: end.sequence + 1), next.before == end { end = next.after }
        return end
    }

    /// The furthest number that any file states for the lane.
    func announced(_ lane: LaneID) throws -> UInt64 {
        guard let bytes = try reader.value(zones.key(lane.bytes), in: ExchangeZones.announced) else { return 0 }
        var record = ByteReader(bytes, of: "record of a lane")
        return try record.u64()
    }

    /// Every lane that was read of or heard of.
    func lanes() throws -> [LaneID] {
        var lanes: Set<LaneID> = []
        for zone in [ExchangeZones.range, ExchangeZones.announced] {
            try zones.scan(zone, in: reader) { key, _ in
                if let lane = LaneID(bytes: Array(key.prefix(16))) { lanes.insert(lane) }
                return true
            }
        }
        return lanes.sorted()
    }
}

extension LaneKnowledge {
    static func announce(
        _ lane: LaneID, upTo number: UInt64, zones: ExchangeZones, writer: any StorageWriter
    ) throws {
        guard try LaneKnowledge(zones: zones, reader: writer).announced(lane) < number else { return }
        var record = ByteWriter()
        record.u64(number)
        try writer.put(record.bytes, for: zones.key(lane.bytes), in: ExchangeZones.announced)
    }
}
