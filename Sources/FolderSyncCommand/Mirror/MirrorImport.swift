import FileCoordination
import LLVSCore

/// What an import into the store found and did.
struct MirrorImport {
    /// The versions that were made.
    var versions: [Version.ID] = []
    var changed: [String] = []
    var removed: [String] = []
    /// Files in the middle of being written: to be looked at again.
    var deferred: [String] = []
    /// Files that could not be read, or changed while they were read.
    var unreadable: [SkippedItem] = []
    /// What is not kept: links and the like.
    var skipped: [SkippedItem] = []

    var isEmpty: Bool { versions.isEmpty }
}

/// Saves changes of a mirrored directory, each on top of what its author saw.
struct MirrorSave {
    let store: Store
    let coordinator: StoreCoordinator
    /// The version that the directory was last made equal to.
    var held: Version.ID

    /// A version in which the path is as it was when somebody changed it: the one that the directory holds, if that is so of
    /// it, and else one that stored the content, or the root, which has no files.
    private func base(of change: MirrorComparison.Change) throws -> Version.ID {
        let reference = try store.reference(of: try Value.ID(utf8: change.path.utf8), at: held)
        guard let settled = change.entry?.settled else { return reference == nil ? held : .root }
        if reference?.contentHash == settled.hash { return held }
        return try store.contains(settled.version) ? settled.version : .root
    }

    /// One version for each base; as a rule there is one.
    mutating func save(
        _ changes: [MirrorComparison.Change], into result: inout MirrorImport
    ) async throws -> [MirrorRecord.Update] {
        var groups: [Version.ID: [MirrorComparison.Change]] = [:]
        for change in changes { groups[try base(of: change), default: []].append(change) }
        var updates: [MirrorRecord.Update] = []
        for (base, group) in groups.sorted(by: { $0.key < $1.key }) {
            var group = try group.filter { try $0.file != nil || has($0.path, at: base) }
            guard let version = try await save(&group, on: base, &result) else { continue }
            if version != base { result.versions.append(version) }
            for change in group {
                updates.append((change.path, try entry(of: change, at: version)))
                if change.file == nil {
                    result.removed.append(change.path.text)
                } else {
                    result.changed.append(change.path.text)
                }
            }
            if base == held { held = version }
        }
        return updates
    }

    private func has(_ path: RelativePath, at version: Version.ID) throws -> Bool {
        try version != .root && store.reference(of: try Value.ID(utf8: path.utf8), at: version) != nil
    }

    private func entry(of change: MirrorComparison.Change, at version: Version.ID) throws -> MirrorEntry? {
        guard let file = change.file,
            let reference = try store.reference(of: try Value.ID(utf8: change.path.utf8), at: version)
        else { return nil }
        return MirrorEntry(
            settled: MirrorContent(hash: reference.contentHash, size: file.size, version: reference.version))
    }

    /// Files that vanish or change meanwhile are left out, and it is tried again. Nil if nothing is left.
    private func save(
        _ group: inout [MirrorComparison.Change], on base: Version.ID, _ result: inout MirrorImport
    ) async throws -> Version.ID? {
        while !group.isEmpty {
            do {
                let changes = try group.map { change in
                    let id = try Value.ID(utf8: change.path.utf8)
                    guard let file = change.file else { return Value.Change.remove(id) }
                    return .insert(Value(id: id, content: file.content(onRead: { _ in })))
                }
                return try await coordinator.save(changes, basedOn: base).id
            } catch let error as FileUnavailable {
                group.removeAll { $0.file?.path.utf8.elementsEqual(error.path.utf8) == true }
                result.unreadable.append(SkippedItem(file: error.path, reason: error.reason))
            }
        }
        return nil
    }
}
