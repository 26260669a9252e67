import FileCoordination
import LLVSCore

extension FolderVerification {
    /// What names and sizes tell. Only where numbers or files of a snapshot are missing, notes are read, which may say that others
    /// have them, or that nobody writes the lane any more.
    mutating func checkNames(_ listing: SharedFolder.Listing, in folder: SharedFolder) throws {
        var ranges: [LaneID: [ClosedRange<UInt64>]] = [:]
        var sets: [String: FolderContents.SnapshotSet] = [:]
        for file in listing.files {
            switch file.name {
            case .card: continue
            case .stranger:
                note(.stray, file.path, "its name is none of this software's; it was not opened")
                continue
            case .entries(let from, let to, _):
                if let lane = file.directory.flatMap({ LaneID($0) }) { ranges[lane, default: []].append(from...to) }
            case .snapshot(let set, let index, let count, _):
                sets["\(file.directory ?? "") \(set) \(count)", default: .init(count: count)].take(index, file.path)
            default: break
            }
            files += 1
            // Header and trailer alone are so long.
            let least = UInt64(FolderFile.Header.byteCount + FolderFile.trailerByteCount)
            if file.signature.size < least {
                note(.arriving, file.path, "incomplete: \(file.signature.size) bytes")
            } else {
                note(.ok, file.path, "")
            }
        }
        var known: [FolderNote.Subject]?
        func notes() throws -> [FolderNote.Subject] {
            let found = try known ?? subjectsOfNotes(listing, in: folder)
            known = found
            return found
        }
        for set in sets.values where set.indices.count < set.count {
            let retired = try notes().compactMap { if case .retired(let lane, _) = $0 { lane } else { nil } }
            note(set, retired: Set(retired))
        }
        lanes = ranges.keys.sorted()
        for lane in lanes {
            let end = (ranges[lane] ?? []).map(\.upperBound).max() ?? 0
            versions += Int(end)
            if LaneLoss.gaps(upTo: end, ranges[lane] ?? []).isEmpty { continue }
            let carried = try notes().compactMap { subject -> ClosedRange<UInt64>? in
                guard case .carried(lane, let from, let to, _) = subject else { return nil }
                return from.sequence + 1...to.sequence
            }
            for gap in LaneLoss.gaps(upTo: end, (ranges[lane] ?? []) + carried) {
                note(
                    .gap, lane.description, "no file of the lane has the numbers \(gap.lowerBound) to \(gap.upperBound)"
                )
            }
        }
    }

    private func subjectsOfNotes(
        _ listing: SharedFolder.Listing, in folder: SharedFolder
    ) throws -> [FolderNote.Subject] {
        var subjects: [FolderNote.Subject] = []
        for file in listing.files {
            guard case .note = file.name, case .container(let container) = try folder.judge(file, of: identity),
                let note = FolderNote.decode(container).verified
            else { continue }
            subjects.append(note.subject)
        }
        return subjects
    }
}
