import FileCoordination
import LLVSCore

extension FolderVerification {
    mutating func check(
        _ folder: SharedFolder, adopted: Set<StoreIdentity>, progress: (Int, Int) -> Void = { _, _ in }
    ) throws {
        let listing = try folder.list()
        counts[.stray] = listing.strays
        for stub in listing.stubs { note(.arriving, stub, "is in the cloud, not on this disk") }
        for item in listing.unreadable { note(.damaged, item.file, item.reason) }
        if level == .names {
            try checkNames(listing, in: folder)
        } else {
            try checkBytes(listing, in: folder, adopted, progress)
        }
        findings.sort { ($0.file, $0.reason) < ($1.file, $1.reason) }
    }

    private mutating func checkBytes(
        _ listing: SharedFolder.Listing, in folder: SharedFolder, _ adopted: Set<StoreIdentity>,
        _ progress: (Int, Int) -> Void
    ) throws {
        // Files under their own names first: what a stranger's name holds is a duplicate only if it is here without it.
        let isOurs = { (file: SharedFolder.Listed) in if case .stranger = file.name { false } else { true } }
        let all = listing.files.filter(isOurs) + listing.files.filter { !isOurs($0) }
        for (done, file) in all.enumerated() {
            progress(done, all.count)
            if case .card = file.name { continue }
            switch try folder.judge(file, of: identity) {
            case .gone: break
            case .container(let container): check(container, file, in: folder)
            case .foreign(let store) where adopted.contains(store):
                note(.stray, file.path, "it is of the store \(store), which was adopted")
            case .foreign(let store): note(.foreign, file.path, "it belongs to the store \(store)")
            case .arriving where try folder.isTornCopy(file, among: all):
                note(.duplicate, file.path, "it is the beginning of the file it is named after, which is here")
            case .arriving(let reason):
                contents.spoiled.insert(file.path)
                note(.arriving, file.path, reason)
            case .damaged(let reason):
                contents.spoiled.insert(file.path)
                note(.damaged, file.path, reason)
            case .future(let reason), .locked(let reason): note(.future, file.path, reason)
            case .stray: note(.stray, file.path, "it is none of this software's")
            }
        }
        progress(all.count, all.count)
        if level == .deep { checkBodies(in: folder) }
        conclude(folder)
    }

    private mutating func check(_ container: FolderFile, _ file: SharedFolder.Listed, in folder: SharedFolder) {
        files += 1
        let name: FolderFileOutcome<FolderFileName>
        if level == .deep || container.header.kind != .entries {
            name = FolderFileContent.decode(container).reading { content in
                take(content, file.path)
                return .verified(content.fileName)
            }
        } else {
            name = EntriesFile.decodeHeader(container).reading { header in
                contents.take(header, of: container.header.lane)
                return .verified(header.fileName(digest: container.digest))
            }
        }
        switch name {
        case .verified(let name):
            note(container, named: container.wasSealed ? folder.name(name, in: identity) : name, file)
        case .future(let reason): note(.future, file.path, reason)
        case .damaged(let reason): note(.damaged, file.path, reason)
        case .arriving, .foreign: note(.damaged, file.path, "it does not decode")
        }
    }

    private mutating func note(_ container: FolderFile, named name: FolderFileName, _ file: SharedFolder.Listed) {
        if name == file.name {
            contents.own.insert(container.digest)
            note(.ok, file.path, "")
        } else if case .stranger = file.name {
            let isDuplicate = contents.own.contains(container.digest)
            note(isDuplicate ? .duplicate : .ok, file.path, "it is \(name) under another name")
        } else {
            note(.damaged, file.path, "its name is not that of its contents")
        }
    }

    private mutating func take(_ content: FolderFileContent, _ path: String) {
        switch content {
        case .entries(let entries):
            contents.take(entries, path)
            for entry in entries.entries {
                do {
                    try entry.checkInlineBodies()
                } catch {
                    contents.incomplete.insert(entry.record.id)
                    note(.damaged, path, (error as? StoreError)?.what ?? "\(error)")
                }
            }
        case .piece(let piece): contents.take(piece, path)
        case .note(let note): contents.take(note)
        // Adds nothing to what the lanes hold.
        case .snapshot(let piece): contents.take(piece, path)
        }
    }

    /// A set that is not there in full serves nobody. Its manifest is written last: without it, it is on its way. Copies alone
    /// are what a service left of a set that was there, and in a lane that nobody writes any more nobody completes one or takes
    /// it away; the lanes have all that it would.
    mutating func note(_ set: FolderContents.SnapshotSet, retired: Set<LaneID>) {
        if set.indices.count == set.count { return }
        let isLeft = set.isOfCopies || set.lanes.allSatisfy { $0.map(retired.contains) ?? false }
        note(
            isLeft ? .duplicate : set.indices.contains(1) ? .gap : .arriving, set.file,
            "\(set.indices.count) of the \(set.count) pieces of its snapshot are here")
    }

    /// What of a lane is whole in other files is lost nowhere: a smaller file that was replaced, or one that others published
    /// again, may be spoiled.
    private mutating func excuse(_ lane: LaneID, readUpTo end: UInt64) {
        for (index, finding) in findings.enumerated() where contents.spoiled.contains(finding.file) {
            let parts = finding.file.split(separator: "/")
            guard parts.count == 2, parts[0] == lane.description,
                case .entries(_, let to, _) = FolderFileName(String(parts[1])), to <= end
            else { continue }
            excuse(index, "other files have its entries")
        }
    }

    /// Nobody writes a spoiled file again in a lane that nobody writes any more. Nothing is lost with one of a snapshot, whose
    /// versions the lanes have, or with a piece of values that is whole elsewhere.
    private mutating func excuseLeftFiles(in folder: SharedFolder) {
        let left = findings.indices.filter { index in
            let file = findings[index].file
            return contents.spoiled.contains(file) && LaneID.of(file: file).map(contents.retired.contains) ?? false
        }
        if left.isEmpty { return }
        let whole = Set(contents.pieces.keys.flatMap { folder.names(of: NameHash($0), in: identity) })
        for index in left {
            switch FolderFileName(String(findings[index].file.split(separator: "/").last ?? "")) {
            case .snapshot: excuse(index, "nobody writes its lane any more")
            case .piece(let hash) where whole.contains(hash): excuse(index, "another file has its bytes")
            default: continue
            }
        }
    }

    private mutating func excuse(_ index: Int, _ reason: String) {
        let finding = findings[index]
        counts[finding.kind, default: 0] -= 1
        counts[.duplicate, default: 0] += 1
        findings[index] = Finding(kind: .duplicate, file: finding.file, reason: "\(reason); \(finding.reason)")
    }

    private mutating func conclude(_ folder: SharedFolder) {
        for set in contents.sets.values { note(set, retired: contents.retired) }
        excuseLeftFiles(in: folder)
        lanes = contents.ranges.keys.sorted()
        var numbers: UInt64 = 0
        for (lane, end) in contents.announced.sorted(by: { $0.key < $1.key }) {
            let here = contents.contiguous(lane, in: identity)
            numbers += here
            excuse(lane, readUpTo: here)
            if here < end {
                note(.gap, lane.description, "the lane is known up to \(end), \(here) are here without a gap")
            }
        }
        versions = level == .deep ? contents.versions.count : Int(numbers)
        for parent in contents.parents where !contents.versions.contains(parent.id) {
            note(.gap, parent.file, "version \(parent.child) has a parent that is not here: \(parent.id)")
        }
    }
}
