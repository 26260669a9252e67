import Testing

@testable import FileCoordination

@Suite("Temporary names")
struct TemporaryNamesTests {
    /// The name, and whose it is.
    static let temporary: [(String, String)] = [
        (".syncthing.report.docx.tmp", "Syncthing"), ("~syncthing~report.docx.tmp", "Syncthing"),
        (".syncthing.aa20c23e3201834050679e1d88941b9a6fed0557c9a705cb2c315e2e63fd486d.tmp", "Syncthing"),
        (".report.pdf.~1a2b3c4d", "ownCloud"), ("file.mp3.!sync", "Resilio Sync"), ("file.mp3.!Sync", "Resilio Sync"),
        (".~notes.md-Temp-k3x9qa.tmp", "Proton Drive"), (".~WRD0001.docx", "WPS Office"),
        ("Plan (# Temporary renamed 2026-10-05 k3x9qaR #).md", "Proton Drive"),
        ("Plan.md (# Deleted 2026-10-05 k3x9qaD #)", "Proton Drive"), (".getxfer.4242.1.mega", "MEGA"),
        ("yuyuquk.aeb661dc.partial", "rclone"), (".unison.report.txt.d41d8cd98f.unison.tmp", "Unison"),
        (".unison.merge1-report.txt", "Unison"), (".bak.1.report.txt", "Unison"),
        ("report.docx.ffs_tmp", "FreeFileSync"),
        ("report.docx~", "an editor"), ("a~", "an editor"), ("a.c.~1~", "an editor"), ("report.sbak", "Seafile"),
        (".~lock.Budget.ods#", "LibreOffice"), ("~$Budget.xlsx", "Microsoft Office"),
        ("~WRL0001.tmp", "Microsoft Office"),
        (".#report.md", "Emacs"), ("#report.md#", "Emacs"), (".report.md.swp", "Vim"), (".report.md.swn", "Vim"),
        (".report.md.kate-swp", "Kate"), ("report.py___jb_tmp___", "JetBrains"), ("report.py___jb_old___", "JetBrains"),
        (".goutputstream-U6EGP0", "GNOME"), (".report.txt.Xy12Ab", "rsync"), (".data.csv.a1B2c3", "rsync"),
        ("report.md.sb-1a2b3c4d-QwErTy", "macOS"), (".nfs000000000123abcd00000001", "NFS"),
        (".smbdeleteAAA1b2c3", "SMB"), (".fuse_hidden0000000100000002", "FUSE"), ("movie.mkv.part", "Firefox"),
        ("setup.exe.crdownload", "Chrome"), ("big.iso.filepart", "WinSCP"), ("big.iso.download", "Safari"),
        ("x.TMP", "Windows"), ("x.tmp.4242.abc.tmp", "Windows"), ("x.tmp.4242", "an atomic write"),
        ("x.tmp.4242.5d41402abc4b2a76", "an atomic write"), ("x.json.tmp-1716382911c0ffee", "an atomic write"),
        ("layout~a1b2c3.idlk", "Adobe InDesign"), ("movie.mkv.aria2", "aria2"), ("movie.mkv.!ut", "uTorrent"),
    ]

    static let control: [(String, String)] = [
        (".stfolder", "Syncthing"), (".stignore", "Syncthing"), (".stversions", "Syncthing"),
        (".stfolder.removed-20260925-140233", "Syncthing"), ("syncthing-folder-1a2b3c.txt", "Syncthing"),
        (".dropbox", "Dropbox"), (".dropbox.cache", "Dropbox"), (".sync_0a1b2c3d4e5f.db-wal", "Nextcloud"),
        (".csync_journal.db-shm", "ownCloud"), (".owncloudsync.log", "ownCloud"), (".owncloudsync.log.1", "ownCloud"),
        (".tmp.drivedownload", "Google Drive"), (".849C9593-D756-4E56-8D6E-42412F2A707B", "OneDrive"),
        (".SyncArchive", "Resilio Sync"), (".sync", "Resilio Sync"), (".kDrive-cache", "kDrive"), (".debris", "MEGA"),
        ("sync.ffs_db", "FreeFileSync"), (".SynologyWorkingDirectory", "Synology Drive"), ("@eaDir", "Synology Drive"),
        ("4913", "Vim"), ("._report.md", "macOS"), (".DS_Store", "macOS"), ("Icon\r", "macOS"),
        ("Thumbs.db", "Windows"),
        (".Trash-1000", "Linux"), ("$RECYCLE.BIN", "Windows"), ("RCLONE_TEST", "rclone"), (".~tmp~", "rsync"),
    ]

    @Test(arguments: temporary)
    func temporaryFilesAreRecognised(name: String, service: String) {
        #expect(!TemporaryNames.isSurelyOrdinary(name))
        #expect(TemporaryNames.classify(name) == .temporary(service: service))
        #expect(TemporaryNames.isTemporary(name))
    }

    @Test(arguments: control)
    func controlFilesAreRecognised(name: String, service: String) {
        #expect(TemporaryNames.classify(name) == .control(service: service))
        #expect(TemporaryNames.isTemporary(name))
    }

    @Test(arguments: [
        ("photo.jpg.nextcloud", "photo.jpg", "Nextcloud"), ("photo.jpg.owncloud", "photo.jpg", "ownCloud"),
        (".Report.pdf.icloud", "Report.pdf", "iCloud Drive"), (".bashrc.nextcloud", ".bashrc", "Nextcloud"),
        ("song.mp3.rsls", "song.mp3", "Resilio Sync"), ("song.mp3.rslsf", "song.mp3", "Resilio Sync"),
    ])
    func placeholdersStandForTheirOriginal(name: String, original: String, service: String) {
        #expect(TemporaryNames.classify(name) == .placeholder(of: original, service: service))
        #expect(!TemporaryNames.isTemporary(name))
    }

    @Test
    func ownNamesAreRecognised() {
        #expect(TemporaryNames.classify(TemporaryName.fresh().name) == .temporary(service: "FolderSync"))
    }

    @Test(arguments: [
        "report.md", ".bashrc", ".gitignore", "~notes.md", "a~b", "#1 hit.mp3", "song.part1.rar", "tmp", "~", "#", "##",
        "template", "x.sb-1", ".git", "party", "note.md.~x", "Report (1).md", "4913.txt", ".hidden.db", "",
        "\u{1F600}.txt", "a.sync-conflict-20260925-140233-ABCDEFG.md", ".tmp", ".part", ".nextcloud", ".icloud",
        "notes.icloud", "package.lock", "Cargo.lock", "DEADBEEF", "20260314", ".nfsrc", ".config.backup", ".a.sha256",
        ".x.Config", ".movie.swf", ".bak.x", ".bak.", ".env.local", ".vimrc", "x.tmp.md", "x.tmp.notes", "x.tmp-new",
        "Plan (# Temporary renamed yesterday #).md", "Plan (# Deleted 2026-10-05 k3x9qaR #)", "notes (# 1 #).md",
        "sync.md", "syncthing-folder.txt", "x.download", "Downloads", "x.!", ".", "..", ".sync_notes.md", "seafile.txt",
    ])
    func ordinaryNamesAreNot(name: String) { #expect(TemporaryNames.classify(name) == nil) }

    @Test
    func anyBytesAreJudgedWithoutHarm() {
        let marks = [
            ".", "~", "#", "(# ", " #)", ".tmp.", ".sb-", ".~", "$", "_", "\u{E9}", "\u{1F600}", "a", "1", "\n", "-",
        ]
        for first in marks {
            for second in marks {
                for third in marks {
                    let name = first + second + third
                    #expect(TemporaryNames.classify(name) == TemporaryNames.classifyInFull(name))
                }
            }
        }
    }
}
