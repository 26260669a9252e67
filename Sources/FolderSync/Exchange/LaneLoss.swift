import LLVSCore

/// Files of another lane that were read and are not in the folder now, as far as names tell; of a lane that this store has
/// left, also the pieces that were not read and found right since.
struct LaneLoss {
    let lane: LaneID
    /// Stands for just what is missing.
    let digest: Digest
    let isRetired: Bool

    /// What every lane lacks. Directories that cannot be seen make nothing known to be missing, in any lane: the files may have
    /// been moved there.
    static func all(
        in listing: SharedFolder.Listing, of folder: SharedFolder, pieces: Set<NameHash>, zones: ExchangeZones,
        _ identity: StoreIdentity, _ reader: any StorageReader
    ) throws -> [LaneLoss] {
        guard listing.unreadable.isEmpty else { return [] }
        let knowledge = LaneKnowledge(zones: zones, reader: reader)
        let covered = try covered(by: listing, zones, reader)
        let needed = try missingPieces(reader, zones) {
            folder.names(of: $0, in: identity).contains(where: pieces.contains)
        }
        let hasPending = try zones.hasPending(in: reader)
        return try knowledge.lanes().filter { $0 != zones.lane }.compactMap { lane in
            let end = try knowledge.contiguous(lane, in: identity).sequence
            let gaps = gaps(upTo: end, covered[lane] ?? [])
            let pieces = needed[lane] ?? []
            if gaps.isEmpty, pieces.isEmpty { return nil }
            // What waits for others cannot be carried yet: once it can, that is something else to do.
            var description = ByteWriter()
            description.u8(hasPending ? 1 : 0)
            for gap in gaps {
                description.u64(gap.lowerBound)
                description.u64(gap.upperBound)
            }
            for piece in pieces { description.append(Array(piece.utf8)) }
            return LaneLoss(
                lane: lane, digest: SHA256.hash(description.bytes), isRetired: try knowledge.isRetired(lane))
        }
    }

    /// The numbers that files are named after. A file of another size than when it was read has other bytes.
    private static func covered(
        by listing: SharedFolder.Listing, _ zones: ExchangeZones, _ reader: any StorageReader
    ) throws -> [LaneID: [ClosedRange<UInt64>]] {
        var covered: [LaneID: [ClosedRange<UInt64>]] = [:]
        for file in listing.files {
            guard case .entries(let from, let to, _) = file.name, let lane = LaneID.of(file: file.path) else {
                continue
            }
            let mark = try reader.value(zones.key(Array(file.path.utf8)), in: ExchangeZones.taken)
            if let mark, !file.signature.agrees(with: mark) { continue }
            covered[lane, default: []].append(from...to)
        }
        return covered
    }

    /// The numbers from 1 to `end` that no range has.
    static func gaps(upTo end: UInt64, _ ranges: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
        var gaps: [ClosedRange<UInt64>] = []
        var next: UInt64 = 1
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where next <= end {
            if range.lowerBound > next { gaps.append(next...min(range.lowerBound - 1, end)) }
            next = max(next, range.upperBound + 1)
        }
        if next <= end { gaps.append(next...end) }
        return gaps
    }

    private static func missingPieces(
        _ reader: any StorageReader, _ zones: ExchangeZones, isPresent: (NameHash) -> Bool
    ) throws -> [LaneID: [String]] {
        var missing: [LaneID: [String]] = [:]
        let unproved = Set(try zones.unprovedPieces(in: reader).map { NameHash($0) })
        try zones.scan(ExchangeZones.needed, in: reader) { name, lane in
            guard let hash = NameHash(utf8: name), unproved.contains(hash) || !isPresent(hash) else { return true }
            if let lane = LaneID(bytes: lane) { missing[lane, default: []].append(hash.text) }
            return true
        }
        return missing
    }
}

/// For how long files of a lane have been missing.
struct LossRecord: Equatable {
    /// Milliseconds, added up over passes.
    var elapsed: Int64 = 0
    /// The wall clock at the last pass.
    var lastPass: Int64
    /// The loss for which everything was done.
    var settled: Digest?

    /// The time after which another device sees to files that their owner does not write again: 72 hours.
    static let patience: Int64 = 72 * 3_600_000

    init(lastPass: Int64) { self.lastPass = lastPass }

    mutating func advance(to now: Int64) {
        elapsed += min(max(now - lastPass, 0), 3_600_000)
        lastPass = now
    }

    /// Whether this device is to see to it now.
    func isDue(_ loss: LaneLoss) -> Bool { settled != loss.digest && (loss.isRetired || elapsed >= Self.patience) }

    var encoded: [UInt8] {
        var out = ByteWriter()
        out.i64(elapsed)
        out.i64(lastPass)
        if let settled { out.append(settled) }
        return out.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "record of a loss")
        elapsed = try reader.i64()
        lastPass = try reader.i64()
        if reader.remaining > 0 { settled = try reader.digest() }
        try reader.expectEnd()
    }
}

extension LaneKnowledge {
    /// Whether a note says that nobody writes the lane any more.
    func isRetired(_ lane: LaneID) throws -> Bool {
        try reader.value(zones.key(lane.bytes), in: ExchangeZones.retired) != nil
    }
}
