import FileCoordination
import LLVSCore

/// What the files of a folder tell of the devices that write there: which versions each had when it last wrote.
///
/// Lanes are followed by their chains, so that where a twin wrote into one, each of both counts with what it had.
struct LaneStates {
    private let store: Store
    private let identity: StoreIdentity
    private let folder: SharedFolder
    /// Chain after an entry → chain before it, and the entry's version; nil: it is elsewhere, as a note says.
    private var steps: [Digest: (before: Digest, row: Int64?)] = [:]
    private var files: Set<State> = []

    private struct State: Hashable {
        let lane: LaneID
        let after: LaneChain
        let seen: [LaneID: LaneChain]
    }

    /// Reads every file of entries.
    init(of store: Store, _ identity: StoreIdentity, in folder: SharedFolder, _ listing: SharedFolder.Listing) throws {
        self.store = store
        self.identity = identity
        self.folder = folder
        for file in listing.files {
            switch file.name {
            case .card, .piece, .snapshot: continue
            case .entries, .note, .stranger, .temporary: break
            }
            try Task.checkCancellation()
            guard case .container(let container) = try folder.judge(file, of: identity) else { continue }
            switch FolderFileContent.decode(container) {
            case .verified(.entries(let entries)): try take(entries)
            case .verified(.note(let note)): take(note)
            default: continue
            }
        }
    }

    private mutating func take(_ entries: EntriesFile) throws {
        files.insert(State(lane: entries.lane, after: entries.header.after, seen: entries.header.seen))
        let rows = try store.inspect { view in try entries.entries.map { try view.row(of: $0.record.id) } }
        var chain = entries.header.before
        for (entry, row) in zip(entries.entries, rows) {
            let next = chain.appending(entry.record)
            steps[next.digest] = (chain.digest, row)
            chain = next
        }
    }

    private mutating func take(_ note: FolderNote) {
        guard case .carried(_, let from, let to, _) = note.subject else { return }
        if steps[to.digest] == nil { steps[to.digest] = (from.digest, nil) }
    }

    /// For each device that writes to a lane of the folder, but for the own lane, the local numbers of the versions it had.
    /// - Throws: ``FolderSyncError`` with `.notReady` if files are missing that would tell.
    func states(besides own: ExchangeZones) throws -> [[Int64]] {
        try checkKnownLanes(own)
        let inner = Set(steps.values.map(\.before))
        return try files.filter { $0.lane != own.lane && !inner.contains($0.after.digest) }.map { state in
            var rows = try versions(upTo: state.after, in: state.lane)
            for (lane, chain) in state.seen { rows += try versions(upTo: chain, in: lane) }
            return rows
        }
    }

    /// All that the store ever read of other lanes has to be there.
    private func checkKnownLanes(_ own: ExchangeZones) throws {
        try store.inspect { view in
            let knowledge = LaneKnowledge(zones: own, reader: view.reader)
            for lane in try knowledge.lanes() where lane != own.lane {
                _ = try versions(upTo: try knowledge.contiguous(lane, in: identity), in: lane)
            }
        }
    }

    private func versions(upTo chain: LaneChain, in lane: LaneID) throws -> [Int64] {
        var rows: [Int64] = []
        var digest = chain.digest
        let start = LaneChain(startOf: lane, in: identity).digest
        while digest != start {
            guard let step = steps[digest] else {
                throw FolderSyncError(
                    .notReady, "files of the lane \(lane) are missing, so it is not known what its device still needs",
                    remedy: "sync the folder, or repair it on a device that has them", path: folder.path)
            }
            if let row = step.row { rows.append(row) }
            digest = step.before
        }
        return rows
    }
}
