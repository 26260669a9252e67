import LLVSCore

/// What a snapshot says of lanes and their files, and how it hangs together with what was read of them.
extension Retrieval {
    /// What the set contains of lanes. The own lane is not learnt from others: what is there beside this store is a twin's.
    ///
    /// Where more was read of a lane than the set has, only the chains inside files show that it hangs together: those files
    /// are to be read again. Returns these lanes, with the number up to which the set has them.
    func note(_ manifest: SetManifest, _ writer: any StorageWriter) throws -> [LaneID: UInt64] {
        let knowledge = LaneKnowledge(zones: zones, reader: writer)
        var bridged: [LaneID: UInt64] = [:]
        for (lane, chain) in manifest.lanes where lane != zones.lane {
            let range = LaneKnowledge.Range(before: LaneChain(startOf: lane, in: identity), after: chain)
            try knowledge.add(range, of: lane, chains: { [range.before, range.after] }, isNews: true, to: writer)
            try LaneKnowledge.announce(lane, upTo: chain.sequence, zones: zones, writer: writer)
            guard try knowledge.contiguous(lane, in: identity).sequence < knowledge.reach(lane) else { continue }
            bridged[lane] = chain.sequence
            try forgetTaken(of: lane, beyond: chain.sequence, writer)
        }
        for file in manifest.files where file.lane != zones.lane {
            let key = zones.key(Array(file.path.utf8))
            if try writer.value(key, in: ExchangeZones.taken) != nil { continue }
            try writer.put(ExchangeZones.containedMark, for: key, in: ExchangeZones.taken)
        }
        return bridged
    }

    private func forgetTaken(of lane: LaneID, beyond number: UInt64, _ writer: any StorageWriter) throws {
        var keys: [[UInt8]] = []
        try zones.scan(ExchangeZones.taken, prefix: Array("\(lane)/".utf8), in: writer) { path, _ in
            let name = FolderFileName(String(decoding: path.dropFirst("\(lane)/".utf8.count), as: UTF8.self))
            if case .entries(_, let to, _) = name, to > number { keys.append(path) }
            return true
        }
        for key in keys { try writer.remove(zones.key(key), in: ExchangeZones.taken) }
    }

    /// Reads the files of ``bridged`` lanes again.
    mutating func readBridges(_ listing: SharedFolder.Listing) throws {
        let bridges = listing.files.filter { file in
            guard case .entries(_, let to, _) = file.name, let lane = file.directory.flatMap(LaneID.init) else {
                return false
            }
            return bridged[lane].map { to > $0 } ?? false
        }
        for file in bridges.sorted(by: { $0.isBefore($1) }) {
            try Task.checkCancellation()
            try read(file, among: listing.files)
        }
        bridged = [:]
    }
}

extension Retrieval {
    /// Reads the files again that a snapshot is said to contain, at the next pass, if a version waits for a parent that nothing
    /// else can bring: whoever made the snapshot was wrong.
    func distrustIfStuck() throws {
        guard report.missing.isEmpty else { return }
        let contained = try store.inspect { view -> [[UInt8]] in
            var isStuck = false
            try zones.scan(ExchangeZones.pending, in: view.reader) { _, bytes in
                isStuck = try PendingVersion(decoding: bytes).record.version.parents.contains { parent in
                    try view.state(of: parent) == nil
                        && view.reader.value(zones.key(parent.utf8), in: ExchangeZones.pending) == nil
                }
                return !isStuck
            }
            var contained: [[UInt8]] = []
            guard isStuck else { return contained }
            try zones.scan(ExchangeZones.taken, in: view.reader) { path, mark in
                if mark == ExchangeZones.containedMark { contained.append(path) }
                return true
            }
            return contained
        }
        if contained.isEmpty { return }
        try store.exchange(now: now) { transaction in
            for path in contained { try transaction.writer.remove(zones.key(path), in: ExchangeZones.taken) }
        }
    }
}
