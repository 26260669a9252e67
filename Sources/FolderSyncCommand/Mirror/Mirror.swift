import FileCoordination
import LLVSCore

/// A directory of ordinary files that is kept in step with a store: what is changed in it is imported, and what others changed
/// is exported into it.
///
/// Nothing in it is replaced or deleted that was not imported first, and nothing that is missing counts as deleted where the
/// directory itself may be missing. Used by one task at a time; it blocks on the disk.
final class Mirror {
    let store: Store
    let coordinator: StoreCoordinator
    let directory: MirrorDirectory
    let filter: MirrorFilter
    /// Whether what is missing was deleted on purpose, even if everything is; until the next import.
    var acceptsDeletions = false
    private let clock: @Sendable () -> Int64
    private var record: MirrorRecord
    private var digests = MirrorDigests()
    private var looks: MirrorLooks
    /// Folders of which what was mounted on them is gone.
    private var unmounted: Set<RelativePath> = []
    /// What the directory was last made equal to.
    private(set) var held: Version.ID
    private let heldVersion: HeldVersion
    private var conflicts: MirrorConflicts
    /// Whether the whole directory was looked at at least once.
    private(set) var hasImported = false
    /// Whether the directory was never looked at, in this process or before. What the others have should be retrieved first, so
    /// that an old copy of it is known as that.
    var isNew: Bool { record.inode == nil }
    /// Whether an export would find nothing to do at ``held``.
    private var isExported = false

    /// - Parameters:
    ///   - settle: how long a file must have been the same to be imported, in milliseconds.
    ///   - clock: milliseconds since 1970.
    init(
        _ path: RealPath, of store: Store, coordinator: StoreCoordinator, filter: MirrorFilter = MirrorFilter(),
        settle: Int64, files: any FileSystem = .local, clock: @escaping @Sendable () -> Int64 = Store.wallClock
    ) throws {
        self.store = store
        self.coordinator = coordinator
        self.filter = filter
        self.clock = clock
        directory = MirrorDirectory(path: path, files: files)
        record = try MirrorRecord(of: path, in: store)
        looks = MirrorLooks(settle: settle)
        heldVersion = HeldVersion(of: path, in: store)
        let known = try heldVersion.load()
        held = known ?? .root
        conflicts = MirrorConflicts(of: store, since: known)
    }

    /// Saves what changed in the directory since it was last looked at.
    /// - Parameter isLast: whether to go on although the task is cancelled.
    func importChanges(isLast: Bool = false) async throws -> MirrorImport {
        let inode = try directory.attributes().inode
        let current = try await coordinator.current()
        let comparison = try MirrorComparison(
            MirrorComparison.Source(
                directory: directory, record: record, filter: filter, store: store, current: current, now: clock(),
                acceptsDeletions: acceptsDeletions, isLast: isLast),
            digests: &digests, looks: &looks)
        // It may have gone, or come, while it was looked at.
        let isSame = try directory.attributes().inode == inode
        if !isSame || !acceptsDeletions { try directory.check(comparison, against: record, inode: isSame ? inode : 0) }
        try record.setInode(inode)
        try record.setMounts(comparison.mounts)
        unmounted = comparison.unmounted
        try record.update(comparison.updates)
        var result = MirrorImport()
        result.deferred = comparison.deferred.map(\.text)
        result.skipped = comparison.skipped
        result.unreadable = comparison.unreadable
        if !comparison.updates.isEmpty { isExported = false }
        if !comparison.changes.isEmpty {
            var saving = MirrorSave(store: store, coordinator: coordinator, held: held)
            let updates = try await saving.save(comparison.changes, into: &result)
            try record.update(updates)
            try hold(saving.held)
            conflicts.addOwn(result.versions)
            isExported = false
        }
        if result.deferred.isEmpty { acceptsDeletions = false }
        hasImported = true
        return result
    }

    /// Makes the directory equal to the current version, as far as it holds what was imported last.
    /// - Returns: Nil if it is equal already.
    func export() async throws -> (version: Version.ID, export: MirrorExport, conflicts: [ResolvedFork])? {
        let current = try await coordinator.current()
        if isExported, current == held { return nil }
        let inode = try directory.attributes().inode
        guard inode == record.inode else { return nil }
        var pass = MirrorExportPass(store: store, directory: directory, filter: filter, inode: inode, record: record)
        pass.unmounted = unmounted
        defer { record = pass.record }
        try pass.run(current)
        let decided = try conflicts.new(at: current)
        try hold(current)
        isExported = pass.result.changed.isEmpty && pass.result.left.isEmpty
        return (current, pass.result, decided)
    }

    private func hold(_ version: Version.ID) throws {
        if version == held { return }
        try heldVersion.set(version)
        held = version
    }
}
