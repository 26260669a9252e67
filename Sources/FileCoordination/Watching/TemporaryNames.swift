/// Recognises by their names the files that editors, sync services and systems keep beside the real ones: temporary files
/// of writes in progress, locks, and databases of their own.
///
/// Names are those the programs' own sources and documentation state. A name is judged alone: an ordinary file that
/// somebody called `x.part` counts as temporary.
public enum TemporaryNames {
    /// Whether the file is not there to be read by others.
    public static func isTemporary(_ name: String) -> Bool {
        if TemporaryName(name) != nil || exact.contains(name) { return true }
        guard let first = name.utf8.first, let last = name.utf8.last else { return false }
        // Nearly every ordinary name ends here.
        if "~.#".utf8.contains(first), startsLikeOne(name) { return true }
        if last == UInt8(ascii: "~"), name.utf8.count > 1 { return true }
        return endsLikeOne(name) || isRandomSuffixed(name)
    }

    private static func startsLikeOne(_ name: String) -> Bool {
        if prefixes.contains(where: name.hasPrefix) { return true }
        if name.hasPrefix("#"), name.hasSuffix("#"), name.utf8.count > 2 { return true }
        if name.hasPrefix("~"), name.hasSuffix(".tmp") { return true }
        // ownCloud and Nextcloud: `.note.md.~1a2b3c4d`.
        if name.hasPrefix("."), let tilde = name.lastRange(of: ".~") {
            let digits = name[tilde.upperBound...]
            return digits.utf8.count >= 4 && digits.allSatisfy { $0.isHexDigit && $0.isASCII }
        }
        // ownCloud and Nextcloud: `.sync_0a1b2c3d4e5f.db-wal`.
        return (name.hasPrefix(".sync_") || name.hasPrefix("._sync_")) && name.contains(".db")
    }

    private static func endsLikeOne(_ name: String) -> Bool { suffixes.contains(where: name.hasSuffix) }

    /// Apple's safe save: `note.md.sb-1a2b3c4d-QwErTy`; rclone: `note.md.1a2b3c4d.partial` has a suffix of its own.
    private static func isRandomSuffixed(_ name: String) -> Bool {
        guard let mark = name.lastRange(of: ".sb-") else { return false }
        let parts = name[mark.upperBound...].split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 8 && parts[1].utf8.count == 6
            && parts[0].allSatisfy(\.isHexDigit)
    }

    private static let exact: Set<String> = [
        ".stfolder", ".stignore", ".stversions", ".dropbox", ".dropbox.attr", ".dropbox.cache", ".maestral",
        ".maestral.cache", ".mignore", ".owncloudsync.log", ".nextcloudsync.log", ".tmp.drivedownload",
        ".tmp.driveupload", ".849C9593-D756-4E56-8D6E-42412F2A707B", ".sync", ".SyncID", ".SyncIgnore", ".SyncArchive",
        ".SyncTrash", ".SyncPart", ".SyncTemp", ".SyncOld", ".kDrive-cache", ".megaignore", ".debris", ".pcloud",
        ".SynologyWorkingDirectory", "@eaDir", "#recycle", "RCLONE_TEST", "sync.ffs_db", ".sync.ffs_db",
        "sync.ffs_lock", ".filen.trash.local", ".filenignore", ".system-tmp-twake-desktop", ".system-tmp-cozy-desktop",
        "4913", ".~tmp~", ".DS_Store", ".AppleDouble", ".TemporaryItems", ".Trashes", ".fseventsd", ".Spotlight-V100",
        ".apdisk", "Icon\r", "Thumbs.db", "ehThumbs.db", "desktop.ini", "$RECYCLE.BIN", ".directory",
    ]

    private static let prefixes = [
        ".syncthing.", "~syncthing~", ".stfolder.removed-", ".csync_journal.db", ".owncloudsync.log.", ".parms.db",
        ".getxfer.", ".unison.", ".~lock.", ".~", "~$", "~WRL", ".#", ".goutputstream-", ".nfs", ".smbdelete",
        ".fuse_hidden", "._", ".Trash-",
    ]

    private static let suffixes = [
        ".swp", ".swo", ".swx", ".kate-swp", ".part", ".filepart", ".partial", ".crdownload", ".ffs_tmp", ".!sync",
        ".!Sync", ".unison.tmp", "___jb_tmp___", "___jb_old___", ".sbak", ".tmp",
    ]
}

extension String {
    /// The last place of an ASCII mark, without Foundation's locale machinery.
    fileprivate func lastRange(of mark: String) -> Range<Index>? {
        let (text, wanted) = (utf8, Array(mark.utf8))
        guard text.count >= wanted.count else { return nil }
        var start = text.index(text.endIndex, offsetBy: -wanted.count)
        while true {
            let end = text.index(start, offsetBy: wanted.count)
            if text[start..<end].elementsEqual(wanted) { return start..<end }
            if start == text.startIndex { return nil }
            start = text.index(before: start)
        }
    }
}
