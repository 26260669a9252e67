import Testing

@testable import FileCoordination

@Suite("Temporary names")
struct TemporaryNamesTests {
    @Test(arguments: [
        ".syncthing.report.docx.tmp", "~syncthing~report.docx.tmp", ".stfolder", ".stignore", ".dropbox",
        ".dropbox.cache", ".report.pdf.~1a2b3c4d", ".sync_0a1b2c3d4e5f.db-wal", ".owncloudsync.log",
        ".tmp.drivedownload", ".849C9593-D756-4E56-8D6E-42412F2A707B", "file.mp3.!sync", ".SyncArchive",
        ".~notes.md-Temp-k3x9qa.tmp", ".kDrive-cache", ".getxfer.4242.1.mega", "yuyuquk.aeb661dc.partial",
        ".unison.report.txt.d41d8cd98f.unison.tmp", "sync.ffs_db", "report.docx.ffs_tmp", ".SynologyWorkingDirectory",
        "report.docx~", ".~lock.Budget.ods#", "~$Budget.xlsx", ".#report.md", "#report.md#", ".report.md.swp", "4913",
        "report.py___jb_tmp___", ".goutputstream-U6EGP0", "report.md.sb-1a2b3c4d-QwErTy", "._report.md", ".DS_Store",
        ".nfs000000000123abcd00000001", "movie.mkv.part", "Icon\r", "x.tmp.4242.abc.tmp",
    ])
    func areRecognised(name: String) { #expect(TemporaryNames.isTemporary(name)) }

    @Test
    func ownNamesAreRecognised() { #expect(TemporaryNames.isTemporary(TemporaryName.fresh().name)) }

    @Test(arguments: [
        "report.md", ".bashrc", ".gitignore", "~notes.md", "a~b", "#1 hit.mp3", "song.part1.rar", "tmp", "~",
        "template", "x.sb-1", ".git", "party", "note.md.~x", "Report (1).md", "4913.txt", ".hidden.db", "",
        "\u{1F600}.txt", "a.sync-conflict-20260925-140233-ABCDEFG.md",
    ])
    func ordinaryNamesAreNot(name: String) { #expect(!TemporaryNames.isTemporary(name)) }
}
