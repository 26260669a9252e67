import LLVSCore

extension LaneKnowledge {
    /// Notes that a stretch was read, together with what was read before it, in it or after it.
    ///
    /// Files of a lane may overlap: a packed file stands beside the files it was made of, and either may come first. A chain
    /// that lies inside what is read now tells that a stretch leads into it or goes on from it. So a lane that was read to
    /// its end is one record, however many files it came in.
    /// - Parameters:
    ///   - chains: the chains of the stretch, from the one before its first entry to the last.
    ///   - isNews: whether the store lacked any of it. What it had is noted only where nothing that spans it is.
    func add(
        _ read: Range, of lane: LaneID, chains: () -> Set<LaneChain>, isNews: Bool, to writer: any StorageWriter
    ) throws {
        let known = try ranges(of: lane)
        let isSpanned = known.contains {
            $0.before.sequence <= read.before.sequence && $0.after.sequence >= read.after.sequence
        }
        // Where a stretch ends in it or at its beginning, it may show how that goes on.
        let isBridge = known.contains {
            read.before.sequence..<read.after.sequence ~= $0.after.sequence
        }
        if isSpanned, !isNews, !isBridge { return }
        let joined = Self.join(read, with: known, chains: chains)
        for old in joined.gone { try writer.remove(key(old, of: lane), in: ExchangeZones.range) }
        for new in joined.made { try writer.put(new.encoded, for: key(new, of: lane), in: ExchangeZones.range) }
    }

    /// Which records a stretch takes the place of, and what is recorded instead.
    static func join(
        _ read: Range, with known: [Range], chains: () -> Set<LaneChain>
    ) -> (gone: Set<Range>, made: [Range]) {
        var start = read.before
        var ends: Set<LaneChain> = [read.after]
        var gone: Set<Range> = []
        let near = known.filter {
            $0.after.sequence >= read.before.sequence && $0.before.sequence <= read.after.sequence
        }
        let inside = near.isEmpty ? [] : chains()
        for range in near {
            if inside.contains(range.after) {
                if range.before.sequence < start.sequence { start = range.before }
                gone.insert(range)
            } else if inside.contains(range.before) {
                ends.insert(range.after)
                gone.insert(range)
            }
        }
        // What hangs on to both ends without touching the stretch itself.
        let leading = Dictionary(grouping: known, by: \.after)
        while let before = leading[start]?.min(by: { $0.before.sequence < $1.before.sequence }) {
            gone.formUnion(leading[start] ?? [])
            start = before.before
        }
        let following = Dictionary(grouping: known, by: \.before)
        var open = Array(ends)
        while let end = open.popLast() {
            for range in following[end] ?? [] {
                gone.insert(range)
                if ends.insert(range.after).inserted { open.append(range.after) }
            }
        }
        let passed = Set(gone.map(\.before))
        let made = ends.filter { !passed.contains($0) }.sorted { $0.sequence < $1.sequence }
        return (gone, made.map { Range(before: start, after: $0) })
    }
}
