import LLVSCore

/// What the files of a folder hold together.
struct FolderContents: Hashable, Sendable {
    struct Range: Hashable, Sendable {
        let before: LaneChain
        let after: LaneChain
    }

    /// A version that needs others to be complete.
    struct Parent: Hashable, Sendable {
        let id: Version.ID
        let child: Version.ID
        let file: String
    }

    /// A value in pieces.
    struct Body: Hashable, Sendable {
        let version: Version.ID
        let value: Value.ID
        let hash: Digest
        let extents: [EntriesFile.Extent]
        let file: String
    }

    /// A snapshot, of which these pieces are here.
    struct SnapshotSet: Hashable, Sendable {
        let count: Int
        private(set) var indices: Set<Int> = []
        /// The first of its files.
        private(set) var file = ""
        /// Whether all that is here of it is under names that are not its own: a service's copies of what may long be gone.
        private(set) var isOfCopies = true
        /// The lanes it lies in; nil: a stranger's directory.
        private(set) var lanes: Set<LaneID?> = []

        init(count: Int) { self.count = count }

        mutating func take(_ index: Int, _ path: String) {
            indices.insert(index)
            lanes.insert(LaneID.of(file: path))
            if case .snapshot = FolderFileName(String(path.split(separator: "/").last ?? "")) { isOfCopies = false }
            file = file.isEmpty ? path : min(file, path)
        }
    }

    /// Files that are no whole files of anybody's.
    var spoiled: Set<String> = []
    private(set) var sets: [SnapshotPiece.Place: SnapshotSet] = [:]
    private(set) var ranges: [LaneID: Set<Range>] = [:]
    private(set) var announced: [LaneID: UInt64] = [:]
    /// Lanes that nobody writes any more, as notes say.
    private(set) var retired: Set<LaneID> = []
    private(set) var versions: Set<Version.ID> = []
    private(set) var parents: [Parent] = []
    private(set) var bodies: [Body] = []
    /// Piece → where it lies.
    private(set) var pieces: [Digest: String] = [:]
    /// Trailers of verified files under their own names, to know duplicates by.
    var own: Set<Digest> = []
    /// Versions of which a value is not here or wrong.
    var incomplete: Set<Version.ID> = []

    mutating func take(_ header: EntriesFile.Header, of lane: LaneID) {
        ranges[lane, default: []].insert(Range(before: header.before, after: header.after))
        announce(lane, header.range.upperBound)
        for (lane, chain) in header.seen { announce(lane, chain.sequence) }
    }

    mutating func take(_ entries: EntriesFile, _ file: String) {
        take(entries.header, of: entries.lane)
        // Step by step: a file may begin inside a packed one, where a twin wrote into the lane.
        let steps = entries.chains.union([entries.header.before]).sorted { $0.sequence < $1.sequence }
        for (before, after) in zip(steps, steps.dropFirst()) {
            ranges[entries.lane, default: []].insert(Range(before: before, after: after))
        }
        for entry in entries.entries {
            let id = entry.record.id
            versions.insert(id)
            parents += entry.record.version.parents.map { Parent(id: $0, child: id, file: file) }
            for (change, body) in zip(entry.record.changes.storing, entry.bodies) {
                guard case .pieces(_, let extents) = body else { continue }
                bodies.append(
                    Body(version: id, value: change.id, hash: change.contentHash, extents: extents, file: file))
            }
        }
    }

    mutating func take(_ note: FolderNote) {
        switch note.subject {
        case .retired(let lane, let end):
            retired.insert(lane)
            announce(lane, end.sequence)
        case .carried(let lane, let from, let to, let number):
            ranges[lane, default: []].insert(Range(before: from, after: to))
            announce(lane, to.sequence)
            announce(note.lane, number)
        case .adopted: break
        }
    }

    mutating func take(_ piece: Piece, _ file: String) {
        if pieces[piece.digest] == nil { pieces[piece.digest] = file }
    }

    mutating func take(_ piece: SnapshotPiece, _ file: String) {
        let (place, count) = (piece.place, piece.place.count)
        let set = SnapshotPiece.Place(manifest: place.manifest, index: 1, count: count)
        sets[set, default: SnapshotSet(count: count)].take(place.index, file)
    }

    private mutating func announce(_ lane: LaneID, _ number: UInt64) {
        announced[lane] = max(announced[lane] ?? 0, number)
    }

    /// How far the lane's files lead from a point, chain by chain.
    private func end(of lane: LaneID, from start: LaneChain) -> LaneChain {
        let known = ranges[lane] ?? []
        let following = Dictionary(grouping: known, by: \.before)
        return LaneKnowledge.end(from: start) { (following[$0] ?? []).map(\.after) }
    }

    func contiguous(_ lane: LaneID, in store: StoreIdentity) -> UInt64 {
        end(of: lane, from: LaneChain(startOf: lane, in: store)).sequence
    }

    /// The stretches between what is here, up to a known end.
    func gaps(in lane: LaneID, of store: StoreIdentity, upTo known: LaneChain) -> [(from: LaneChain, to: LaneChain)] {
        var gaps: [(LaneChain, LaneChain)] = []
        var here = end(of: lane, from: LaneChain(startOf: lane, in: store))
        while here.sequence < known.sequence {
            let later = (ranges[lane] ?? []).map(\.before).filter {
                $0.sequence > here.sequence && $0.sequence < known.sequence
            }
            let next = later.min { ($0.sequence, $0.digest) < ($1.sequence, $1.digest) } ?? known
            gaps.append((here, next))
            here = end(of: lane, from: next)
        }
        return gaps
    }
}
