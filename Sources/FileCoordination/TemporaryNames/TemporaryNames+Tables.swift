/// Names that need no pattern. To add a service, add its rows here, and to `TemporaryNamesTests`.
extension TemporaryNames {
    /// Whole names.
    static let controlNames: [String: String] = table([
        "Syncthing": [".stfolder", ".stignore", ".stversions"],
        "Dropbox": [".dropbox", ".dropbox.attr", ".dropbox.cache"],
        "Maestral": [".maestral", ".maestral.cache", ".mignore"],
        "ownCloud": [".owncloudsync.log", ".space", ".symform"],
        "Nextcloud": [".nextcloudsync.log"],
        "Google Drive": [".tmp.drivedownload", ".tmp.driveupload"],
        "OneDrive": [".849C9593-D756-4E56-8D6E-42412F2A707B"],
        "Resilio Sync": [
            ".sync", ".SyncID", ".SyncIgnore", ".SyncArchive", ".SyncTrash", ".SyncPart", ".SyncTemp", ".SyncOld",
        ],
        "kDrive": [".kDrive-cache"],
        "MEGA": [".megaignore", ".debris"],
        "pCloud": [".pcloud"],
        "Seafile": ["seafile-ignore.txt"],
        "Synology Drive": [".SynologyWorkingDirectory", "@eaDir", "#recycle"],
        "rclone": ["RCLONE_TEST"],
        "Unison": [".unison"],
        "FreeFileSync": ["sync.ffs_db", ".sync.ffs_db", "sync.ffs_lock", ".sync.ffs_lock"],
        "Filen": [".filen.trash.local", ".filenignore"],
        "Cozy": [".system-tmp-twake-desktop", ".system-tmp-cozy-desktop"],
        "Vim": ["4913"],
        "rsync": [".~tmp~"],
        "macOS": [
            ".DS_Store", ".AppleDouble", ".TemporaryItems", ".Trashes", ".fseventsd", ".Spotlight-V100", ".apdisk",
            "Icon\r",
        ],
        "Windows": ["Thumbs.db", "thumbs.db", "ehThumbs.db", "desktop.ini", "Desktop.ini", "$RECYCLE.BIN"],
        "KDE": [".directory"],
    ])

    /// What follows the last dot, in lower case, of a name that has something before it.
    static let temporaryExtensions: [String: String] = table([
        "Windows": ["tmp"],
        "Vim": ["swp", "swo", "swx"],
        "Kate": ["kate-swp"],
        "Adobe InDesign": ["idlk"],
        "Firefox": ["part"],
        "Chrome": ["crdownload"],
        "WinSCP": ["filepart"],
        "rclone": ["partial"],
        "aria2": ["aria2"],
        "uTorrent": ["!ut"],
        "Resilio Sync": ["!sync"],
        "Seafile": ["sbak"],
        "FreeFileSync": ["ffs_tmp"],
    ])

    /// The same for placeholders, whose original is what stands before.
    static let placeholderExtensions: [String: String] = table([
        "Nextcloud": ["nextcloud"],
        "ownCloud": ["owncloud"],
        "Resilio Sync": ["rsls", "rslsf", "rslsd", "rslsv"],
    ])

    static let longestExtension = 12

    static let temporaryPrefixes: [(prefix: String, service: String)] = [
        (".syncthing.", "Syncthing"), ("~syncthing~", "Syncthing"), (".getxfer.", "MEGA"), (".unison.", "Unison"),
        (".~lock.", "LibreOffice"), ("~$", "Microsoft Office"), ("~WRL", "Microsoft Office"), (".#", "Emacs"),
        (".goutputstream-", "GNOME"), (".smbdelete", "SMB"), (".fuse_hidden", "FUSE"), (".dat.nosync", "Foundation"),
    ]

    static let controlPrefixes: [(prefix: String, service: String)] = [
        (".stfolder.removed-", "Syncthing"), (".csync_journal.db", "ownCloud"), (".owncloudsync.log.", "ownCloud"),
        (".parms.db", "kDrive"), (".synkron.", "Synkron"), (".Trash-", "Linux"), ("._", "macOS"),
    ]

    private static func table(_ rows: [String: [String]]) -> [String: String] {
        var table: [String: String] = [:]
        for (service, names) in rows {
            for name in names { table[name] = service }
        }
        return table
    }
}
