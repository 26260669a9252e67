import FolderSync
import LLVSCore

/// What a sync did, over all folders of the store.
struct SyncResult: Encodable {
    var imported = 0
    var sent = 0
    /// Bytes of files that were read for it.
    var readBytes = 0
    /// Bytes of the versions sent, before compression.
    var sentBytes = 0
    /// Own files that were lost or damaged and are written again.
    var restored = 0
    /// Versions of devices that are gone, published here because their files were lost.
    var carried = 0
    /// Files that are incomplete, or wait for others.
    var waiting: [SkippedItem] = []
    /// Files whose bytes are wrong.
    var damaged: [SkippedItem] = []
    /// Files that are no part of this store.
    var foreign: [SkippedItem] = []
    /// Files that only a newer version of this software can read.
    var future: [SkippedItem] = []
    /// Versions that the format of the folder cannot hold.
    var unsendable: [SkippedItem] = []
    /// What happened to this device's place in the folder.
    var notices: [SkippedItem] = []
    /// Why the store cannot begin, or go on, with what is in its folders; not there if it can.
    var needsBootstrap: String?
    /// Heads that could not be merged.
    var unmerged: [SkippedItem] = []
    /// The current version.
    var head = ""
    var digest = ""

    mutating func add(_ outcome: PassOutcome) {
        add(outcome.report)
        add(outcome.merge)
        needsBootstrap = needsBootstrap ?? outcome.needsBootstrap
    }

    mutating func add(_ report: LLVSReport, _ merge: MergeOutcome) {
        imported += report.imported
        sent += report.sent
        waiting += report.waiting.map(SkippedItem.init)
        damaged += report.damaged.map(SkippedItem.init)
        unsendable += report.unsendable.map(SkippedItem.init)
        add(merge)
    }

    private mutating func add(_ report: SyncReport) {
        imported += report.imported
        sent += report.sent
        readBytes += report.readByteCount
        sentBytes += report.sentByteCount
        restored += report.restored
        carried += report.carried
        waiting += report.waiting.map(SkippedItem.init)
        damaged += report.damaged.map(SkippedItem.init)
        foreign += report.foreign.map(SkippedItem.init)
        future += report.future.map(SkippedItem.init)
        notices += report.notices.map(SkippedItem.init)
    }

    private mutating func add(_ merge: MergeOutcome) {
        unmerged += merge.left.map { SkippedItem(file: $0.head.description, reason: $0.reason) }
        if let reason = merge.stayed { unmerged.append(SkippedItem(file: merge.current.description, reason: reason)) }
    }

    mutating func finish(at version: Version.ID, of store: Store) throws {
        head = version.description
        digest = try store.digest(at: version).base32
    }

    /// For people; what is not as it should be, after what was done.
    func lines(_ names: VersionNames) throws -> [String] {
        let short = try names.short(try Version.ID(head))
        return [
            "\(counted(imported, "version")) imported\(size(readBytes, if: imported)), \(sent) sent"
                + "\(size(sentBytes, if: sent)); now at \(short), digest \(digest.prefix(12))"
        ] + (restored > 0 ? ["\(counted(restored, "own file")) written again"] : [])
            + (carried > 0 ? ["\(counted(carried, "version")) of devices that are gone published again"] : [])
            + problems
    }

    private func size(_ bytes: Int, if count: Int) -> String {
        count > 0 && bytes > 0 ? " (\(sized(bytes)))" : ""
    }

    var problems: [String] {
        notices.summary("note") + waiting.summary("waiting") + damaged.summary("damaged") + foreign.summary("foreign")
            + future.summary("from a newer version") + unsendable.summary("not sent") + unmerged.summary("not merged")
    }
}

extension SkippedItem {
    init(_ item: SyncReport.Item) { self.init(file: item.file, reason: item.reason) }
    init(_ item: LLVSReport.Item) { self.init(file: item.file, reason: item.reason) }
}

extension OpenStore {
    /// The folders it is attached to; at least one.
    func attachments() throws -> [FolderAttachment] {
        let attachments = try FolderExchange.attachments(of: store)
        if attachments.isEmpty {
            throw CommandError(
                "the store '\(name)' is not attached to a folder",
                remedy: "attach it with 'foldersync attach \(name) FOLDER'")
        }
        return attachments
    }

    /// The exchange with one of its folders, which shows its progress and says whom it waits for.
    func exchange(with attachment: FolderAttachment, _ bar: ProgressBar? = nil) -> FolderExchange {
        FolderExchange(
            store: store, attachment: attachment,
            onWaiting: { holder in
                bar?.clear()
                Program.say("waiting for \(printable(holder)), which is syncing this store")
            },
            progress: { bar?.show($0) })
    }
}

extension ProgressBar {
    /// By bytes where their number is known, as files and versions are of all sizes.
    func show(_ step: SyncProgress) {
        guard let bytes = step.bytes, let total = bytes.total, total > 0 else { return show(step.done, of: step.total) }
        var note = "\(sized(bytes.done)) of \(sized(total))"
        if let versions = step.versions, let count = versions.total {
            note = "\(versions.done) of \(counted(count, "version")), \(note)"
        }
        show(bytes.done, of: total, note: note)
    }
}
