import FileCoordination
import FolderSync
import LLVSCore

/// What a snapshot is, for programs.
private struct SnapshotResult: Encodable {
    let snapshot: String
    let versions: Int
    let heads: [String]
    let chunks: Int
    let bytes: Int

    init(_ manifest: SnapshotManifest, at path: String) {
        snapshot = path
        versions = manifest.versionCount
        heads = manifest.heads.map(\.description)
        chunks = manifest.chunks.count
        bytes = manifest.totalSize
    }
}

/// What a snapshot in a shared folder is, for programs.
private struct SharedSnapshotResult: Encodable {
    let folder: String
    let set: String
    let versions: Int
    let files: Int
    let bytes: Int

    init(_ snapshot: FolderSnapshot, _ attachment: FolderAttachment) {
        folder = attachment.folder
        set = snapshot.set
        versions = snapshot.versions
        files = snapshot.files
        bytes = snapshot.byteCount
    }
}

extension Command {
    static let snapshot = Command(
        syntax: CommandSyntax(
            name: "snapshot", summary: "Copies a store, as of one moment, into a folder: a backup.",
            arguments: [
                .store,
                .init(
                    name: "DIR",
                    help: "the folder; made if it does not exist, else empty, an earlier snapshot, or the shared folder"
                ),
            ],
            options: [
                .init(name: "--unchecked", help: "replace an earlier snapshot without verifying the store first")
            ],
            details: [
                """
                All versions, values and current versions, while others go on writing to the store. Everything is hashed;
                'foldersync restore' puts it back. What is in DIR already and still right is not written again: an interrupted
                call goes on, and a later snapshot costs what is new. The earlier one is valid until the new one is whole.
                """,
                """
                Before an earlier snapshot is replaced, the store is verified as 'foldersync verify --level hash' does. One of
                another store, or of a later state of this one, is not replaced.
                """,
                "Not kept: which shared folders the store is attached to.",
                """
                If DIR is a shared folder that the store is attached to, the store is synced and the snapshot written into it,
                for new devices to begin with. The two newest of this device are kept there. A store that does not hold
                everything yet writes none.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let shared = try FolderExchange.attachments(of: open.store).first {
            RealPath($0.folder).text == RealPath(call["DIR"]).text
        }
        if let shared { return try await publish(open, to: shared, call) }
        let folder = try open.folder(call["DIR"])
        if !call.arguments.has("--unchecked") { try refuseDamaged(open.store, before: folder, call) }
        let bar = call.progressBar("writing")
        defer { bar.clear() }
        let manifest = try await cancellingOnSignal {
            try open.store.writeSnapshot(to: folder.text) { done, total in
                try Task.checkCancellation()
                bar.show(done, of: total)
            }
        }
        bar.clear()
        let versions = counted(manifest.versionCount, "version")
        try call.report(
            SnapshotResult(manifest, at: folder.text),
            ["wrote a snapshot of \(versions) to \(printable(call["DIR"])): \(manifest.totalSize) bytes in all"])
    }

    /// Writes a snapshot into a shared folder.
    @MainActor
    private static func publish(_ open: OpenStore, to attachment: FolderAttachment, _ call: Invocation) async throws {
        let bar = call.progressBar("writing")
        defer { bar.clear() }
        let exchange = open.exchange(with: attachment, bar)
        let snapshot = try await cancellingOnSignal { try await exchange.publishSnapshot() }
        bar.clear()
        let versions = counted(snapshot.versions, "version")
        try call.report(
            SharedSnapshotResult(snapshot, attachment),
            ["wrote a snapshot of \(versions) into \(printable(call["DIR"])): \(counted(snapshot.files, "file"))"])
    }

    /// A damaged store must not take the place of its backup.
    @MainActor
    private static func refuseDamaged(_ store: Store, before folder: RealPath, _ call: Invocation) throws {
        do {
            _ = try LocalFileSystem.local.attributes(at: folder.text + "/snapshot.manifest", followLinks: false)
        } catch {
            if error == .noSuchFile || error == .notDirectory { return }
        }
        let bar = call.progressBar("verifying")
        defer { bar.clear() }
        let findings = try store.verify(.hash) { bar.show($0, of: $1) }
        guard let first = findings.first else { return }
        throw CommandError(
            "the store is damaged, and an earlier snapshot is in '\(call["DIR"])': \(first)",
            remedy: "see 'foldersync verify', 'foldersync restore' the earlier one, or choose another folder")
    }

    static let restore = Command(
        syntax: CommandSyntax(
            name: "restore", summary: "Makes a store out of a snapshot.",
            arguments: [
                .init(name: "DIR", help: "the folder of the snapshot; it is only read"),
                .init(name: "STORE", help: "the folder that becomes the store: nothing, or a store without versions"),
            ],
            options: [
                .init(
                    name: "--verify", value: "LEVEL",
                    help: "verify it before it is put in place, where nothing is: names, hash or deep (see 'verify')")
            ],
            details: [
                """
                Every byte is verified before it is used. A new store is made beside its path and put in place when it is whole:
                if anything is wrong, or the call is interrupted, there is no store. Attach it to its shared folder again with
                'foldersync attach'.
                """,
                "Use '--verify deep' for a snapshot that somebody else may have made.",
            ])
    ) { call in
        let level = try call.verifyLevel("--verify")
        let folder = RealPath(call["DIR"])
        let path = RealPath(call["STORE"])
        try refuseOverlap(("the snapshot", folder), ("the store", path))
        let bar = call.progressBar("restoring")
        defer { bar.clear() }
        let manifest = try await cancellingOnSignal {
            let progress = { (done: Int, total: Int) in
                try Task.checkCancellation()
                bar.show(done, of: total)
            }
            if level == nil, let store = try storeIfOne(at: path) {
                let manifest = try store.restore(snapshot: folder.text, progress: progress)
                try store.storage.sync()
                return manifest
            }
            return try Store.restore(
                snapshot: folder.text, to: path.text, verifying: level, progress: progress)
        }
        bar.clear()
        try call.report(
            SnapshotResult(manifest, at: folder.text),
            ["restored \(counted(manifest.versionCount, "version")) to \(printable(call["STORE"]))"])
    }
}
