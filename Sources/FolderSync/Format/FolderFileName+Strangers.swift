extension FolderFileName.Stranger {
    /// What is known of a name that is none of ours.
    init(_ name: Substring.UTF8View) {
        if let inner = name.strippingPrefix(".")?.strippingSuffix(".icloud"), let ours = FolderFileName(ours: inner) {
            self = .stub(of: ours)
        } else {
            self = Self.isJunk(name) ? .junk : .unknown
        }
    }

    /// Whether systems or sync services leave files or directories of this name.
    ///
    /// Names are compared without regard to case, as Windows and macOS do. No renamed file of ours is among them: those
    /// begin with their own name or with words such as "Copy of".
    private static func isJunk(_ name: Substring.UTF8View) -> Bool {
        let folded = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return names.contains(folded) || prefixes.contains { folded.starts(with: $0) }
    }

    private static let names: Set<[UInt8]> = Set(
        [
            ".ds_store", ".localized", "icon\r", "icon\u{F00D}",  // macOS; U+F00D stands for the CR on SMB and exFAT
            "desktop.ini", "thumbs.db", "ehthumbs.db", "$recycle.bin", "system volume information",  // Windows
            ".directory", "lost+found",  // KDE, ext4
            "@eadir", "#recycle",  // Synology
            ".stversions", ".stignore",  // Syncthing
        ].map { [UInt8]($0.utf8) })

    private static let prefixes: [[UInt8]] = [
        "._", ".spotlight-", ".trash", ".fseventsd", ".temporaryitems",  // macOS: AppleDouble, volume folders; trash
        ".fuse_hidden", ".nfs",  // open files that were deleted
        ".dropbox", ".tmp.drive",  // Dropbox, Google Drive
        ".sync", "~syncthing~", ".stfolder",  // Syncthing, also `.syncthing.NAME.tmp`; `.sync_*.db`; Resilio's `.sync`
        ".owncloud", ".nextcloud", ".~",  // also ownCloud's and rclone's files in transfer
    ].map { [UInt8]($0.utf8) }
}
