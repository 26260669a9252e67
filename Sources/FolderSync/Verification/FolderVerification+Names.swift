import FileCoordination
import LLVSCore

extension FolderVerification {
    /// What names and sizes tell. Only where numbers are missing, notes are read, which may say that others have them.
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
        for set in sets.values { note(set) }
        lanes = ranges.keys.sorted()
        var carried: [LaneID: [ClosedRange<UInt64>]]?
        for lane in lanes {
            let end = (ranges[lane] ?? []).map(\.upperBound).max() ?? 0
            versions += Int(end)
            if LaneLoss.gaps(upTo: end, ranges[lane] ?? []).isEmpty { continue }
            if carried == nil { carried = try carriedRanges(listing, in: folder) }
            for gap in LaneLoss.gaps(upTo: end, (ranges[lane] ?? []) + (carried?[lane] ?? [])) {
                note(
                    .gap, lane.description, "no file of the lane has the numbers \(gap.lowerBound) to \(gap.upperBound)"
                )
            }
        }
    }

    private func carriedRanges(
        _ listing: SharedFolder.Listing, in folder: SharedFolder
    ) throws -> [LaneID: [ClosedRange<UInt64>]] {
        var carried: [LaneID: [ClosedRange<UInt64>]] = [:]
        for file in listing.files {
            guard case .note = file.name, case .container(let container) = try folder.judge(file, of: identity),
                let note = FolderNote.decode(container).verified,
                case .carried(let lane, let from, let to, _) = note.subject
            else { continue }
            carried[lane, default: []].append(from.sequence + 1...to.sequence)
        }
        return carried
    }
}
