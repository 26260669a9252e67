import LLVSCore

/// What was read of a lane and how far it is said to go.
struct LaneKnowledge {
    let zones: ExchangeZones
    let reader: any StorageReader

    /// A stretch of a lane that was read.
    struct Range: Hashable {
        var before: LaneChain
        var after: LaneChain

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

    /// The stretches read that start at this number: several where files overlap, or where a twin wrote into the lane.
    func ranges(of lane: LaneID, from first: UInt64) throws -> [Range] {
        var found: [Range] = []
        try zones.scan(ExchangeZones.range, prefix: Self.prefix(lane, first), in: reader) { _, bytes in
            found.append(try Range(from: first, decoding: bytes))
            return true
        }
        return found
    }

    /// Every stretch read, ascending by its first number.
    func ranges(of lane: LaneID) throws -> [Range] {
        var found: [Range] = []
        try zones.scan(ExchangeZones.range, prefix: lane.bytes, in: reader) { key, bytes in
            let first = key.dropFirst(lane.bytes.count).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            found.append(try Range(from: first, decoding: bytes))
            return true
        }
        return found
    }

    /// Where a stretch is noted.
    func key(_ range: Range, of lane: LaneID) -> [UInt8] {
        zones.key(Self.prefix(lane, range.before.sequence + 1) + range.after.digest.bytes)
    }

    private static func prefix(_ lane: LaneID, _ first: UInt64) -> [UInt8] {
        lane.bytes + withUnsafeBytes(of: first.bigEndian) { Array($0) }
    }

    /// How far the lane was read without a gap, and the chain there: of several ways through it the longest.
    func contiguous(_ lane: LaneID, in store: StoreIdentity) throws -> LaneChain {
        try Self.end(from: LaneChain(startOf: lane, in: store)) { end in
            try ranges(of: lane, from: end.sequence + 1).filter { $0.before == end }.map(\.after)
        }
    }

    /// The furthest chain that `next` leads to, step by step.
    static func end(from start: LaneChain, next: (LaneChain) throws -> [LaneChain]) rethrows -> LaneChain {
        var furthest = start
        var pending = [start]
        var seen: Set<LaneChain> = [start]
        while let chain = pending.popLast() {
            if chain.sequence > furthest.sequence { furthest = chain }
            for following in try next(chain) where seen.insert(following).inserted { pending.append(following) }
        }
        return furthest
    }

    /// The number up to which there is no gap in what was read, by the numbers alone: where a twin wrote into the lane, each
    /// number counts for both. Enough to say what is still to come; that all of it hangs together is ``contiguous(_:in:)``.
    func reach(_ lane: LaneID) throws -> UInt64 {
        var reach: UInt64 = 0
        for range in try ranges(of: lane) where range.before.sequence <= reach {
            reach = max(reach, range.after.sequence)
        }
        return reach
    }

    /// The furthest number that any file states for the lane.
    func announced(_ lane: LaneID) throws -> UInt64 { try number(of: lane, in: ExchangeZones.announced) }

    /// The number up to which the lane's files state to have the own lane.
    func acknowledged(_ lane: LaneID) throws -> UInt64 { try number(of: lane, in: ExchangeZones.acknowledged) }

    private func number(of lane: LaneID, in zone: KeyedZone) throws -> UInt64 {
        guard let bytes = try reader.value(zones.key(lane.bytes), in: zone) else { return 0 }
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
        try LaneKnowledge(zones: zones, reader: writer).raise(lane, to: number, in: ExchangeZones.announced, writer)
    }

    static func acknowledge(
        _ number: UInt64, by lane: LaneID, zones: ExchangeZones, writer: any StorageWriter
    ) throws {
        try LaneKnowledge(zones: zones, reader: writer).raise(lane, to: number, in: ExchangeZones.acknowledged, writer)
    }

    /// What was stated is never taken back.
    private func raise(
        _ lane: LaneID, to number: UInt64, in zone: KeyedZone, _ writer: any StorageWriter
    ) throws {
        guard try self.number(of: lane, in: zone) < number else { return }
        var record = ByteWriter()
        record.u64(number)
        try writer.put(record.bytes, for: zones.key(lane.bytes), in: zone)
    }
}
