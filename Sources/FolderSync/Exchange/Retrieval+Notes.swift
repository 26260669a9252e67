import LLVSCore

/// What files say beside their versions: notes, and which pieces are needed.
extension Retrieval {
    /// Whatever a note says is noted once. One about versions that its writer has still to deliver is looked at again.
    mutating func take(_ note: FolderNote, _ file: SharedFolder.Listed) throws {
        if case .retired(zones.lane, _) = note.subject { sawTwin = true }
        try store.exchange(now: now) { transaction in
            let writer = transaction.writer
            switch note.subject {
            case .retired(let lane, let end):
                try LaneKnowledge.announce(lane, upTo: end.sequence, zones: zones, writer: writer)
                try writer.put([], for: zones.key(lane.bytes), in: ExchangeZones.retired)
            case .carried(let lane, let from, let to, let number):
                let knowledge = LaneKnowledge(zones: zones, reader: writer)
                try LaneKnowledge.announce(lane, upTo: to.sequence, zones: zones, writer: writer)
                try LaneKnowledge.announce(note.lane, upTo: number, zones: zones, writer: writer)
                let isHere = try knowledge.contiguous(note.lane, in: identity).sequence >= number
                guard isHere || note.lane == zones.lane else { return }
                let range = LaneKnowledge.Range(before: from, after: to)
                try knowledge.add(range, of: lane, chains: { [from, to] }, isNews: true, to: writer)
            case .adopted: break
            }
            guard file.name == note.fileName else { return }
            try writer.put([], for: zones.key(Array(file.path.utf8)), in: ExchangeZones.taken)
        }
        if file.name != note.fileName { strangers[file.path] = file.signature }
    }

    /// Which pieces another lane's entries need, so that their loss shows.
    func note(needed entries: EntriesFile, _ writer: any StorageWriter) throws {
        guard entries.lane != zones.lane else { return }
        for entry in entries.entries {
            for piece in PendingVersion.pieces(of: entry.bodies) {
                let key = zones.key(Array(NameHash(piece).text.utf8))
                try writer.put(entries.lane.bytes, for: key, in: ExchangeZones.needed)
            }
        }
    }
}
