extension ConflictCase {
    /// Names that services have given to copies, with what they are copies of in the end.
    static let copies: [ConflictCase] = [
        ConflictCase("Dropbox", "Budget (Alex's conflicted copy 2026-03-14).xlsx", of: "Budget.xlsx", .strong),
        ConflictCase("Dropbox", "notes (Sam's iPad's conflicted copy 2026-01-02).md", of: "notes.md", .strong),
        ConflictCase("Dropbox", "vault (DESKTOP-4F2K9QX's conflicted copy 2024-05-13).kdbx", of: "vault.kdbx", .strong),
        ConflictCase("Dropbox", "KPCX (alex's conflicted copy).kdbx", of: "KPCX.kdbx", .medium),
        ConflictCase("Dropbox", "README (Alex's conflicted copy 2026-03-14)", of: "README", .strong),
        ConflictCase("Dropbox", "archive.tar (Alex's conflicted copy 2026-03-14).gz", of: "archive.tar.gz", .strong),
        ConflictCase("Dropbox", "f1 (conflicted copy) (1).txt", of: "f1.txt", .medium),
        ConflictCase(
            "Dropbox", "keepassx (Sam's conflicted copy) (1) (Sam's conflicted copy).kdb", of: "keepassx.kdb", .medium,
            .nested(parent: "keepassx (Sam's conflicted copy) (1).kdb")),
        ConflictCase("Dropbox", "Photo (Case Conflict).jpg", of: "Photo.jpg", .medium),
        ConflictCase("Dropbox", "env_template (Unicode Encoding Conflict).jq", of: "env_template.jq", .strong),
        ConflictCase("Dropbox", "Taxes (Selective Sync Conflict)", of: "Taxes", .medium, .folder),
        ConflictCase("Dropbox", "draft (Whitespace Conflict).txt", of: "draft.txt", .medium),
        ConflictCase(
            "Dropbox", "combined (Alexs in Konflikt stehende Kopie 2017-01-18).xls", of: "combined.xls", .strong),
        ConflictCase(
            "Dropbox", "Angebot (In Konflikt stehende Kopie von PC-ALEX 2012-11-05).docx", of: "Angebot.docx", .strong),
        ConflictCase("Dropbox", "index (Copie en conflit de Alex Martin 2025-10-19).pdf", of: "index.pdf", .strong),
        ConflictCase(
            "Dropbox", "extensive_b1b2 (Copia en conflicto de Alex Z 2026-05-04).R", of: "extensive_b1b2.R", .strong),
        ConflictCase(
            "Dropbox", "index (Copia in conflitto di MBP-di-Alex.fritz.box 2026-10-08).html", of: "index.html", .strong),
        ConflictCase(
            "Dropbox", "SENHAS (Cópia em conflito de Contabilidade 2026-08-25 1).xlsx", of: "SENHAS.xlsx", .strong),
        ConflictCase("Dropbox", "SPH1_lap (アレックス の競合コピー 2023-10-29).hpp", of: "SPH1_lap.hpp", .strong),
        ConflictCase("Dropbox", "BMC-ALL-v3 (A Z 的冲突副本 2018-01-21).pdf", of: "BMC-ALL-v3.pdf", .strong),
        ConflictCase("Dropbox", "debug (ALEXPC의 충돌된 사본 2025-10-08).log", of: "debug.log", .strong),
        ConflictCase(
            "Dropbox", "um_rakan_17 (alexpcs modstridende kopi 2014-09-10).dbr", of: "um_rakan_17.dbr", .strong),
        ConflictCase(
            "Dropbox", "1-568 от Центра (Конфликтующая копия пользователя Alex 2022-02-14).html",
            of: "1-568 от Центра.html", .strong),
        ConflictCase(
            "Dropbox", "Kapitel 1 (Alex iPhone:s motstridiga kopia 2026-10-03).md", of: "Kapitel 1.md", .strong),
        ConflictCase(
            "Dropbox", "raport (kopia powodująca konflikt użytkownika Alex 2026-10-02).json", of: "raport.json", .strong
        ),
        ConflictCase("Dropbox", "Cafe\u{301} (Alex's conflicted copy 2026-03-14).md", of: "Café.md", .strong),
        ConflictCase("Dropbox", "דוח (Alex's conflicted copy 2026-03-14).docx", of: "דוח.docx", .strong),
        ConflictCase("Maestral", "file (Alex's conflicted copy 2026-04-01 1).txt", of: "file.txt", .strong),
        ConflictCase("Maestral", "résumé (unicode conflict).txt", of: "résumé.txt", .medium),
        ConflictCase("Syncthing", "note.sync-conflict-20260925-140233-ABCDEFG.md", of: "note.md", .strong),
        ConflictCase("Syncthing", "Makefile.sync-conflict-20260929-143015-ABCDEFG", of: "Makefile", .strong),
        ConflictCase("Syncthing", ".sync-conflict-20260102-030405-Q7K2M3A.bashrc", of: ".bashrc", .strong),
        ConflictCase(
            "Syncthing", "archive.tar.sync-conflict-20260102-030405-Q7K2M3A.gz", of: "archive.tar.gz", .strong),
        ConflictCase(
            "Syncthing", "song (2006-05-28).sync-conflict-20170409-192607.mp3", of: "song (2006-05-28).mp3", .strong),
        ConflictCase(
            "Syncthing", "IgnoreList.sync-conflict-20150418-232227.sync-conflict-20150418-030452", of: "IgnoreList",
            .strong, .nested(parent: "IgnoreList.sync-conflict-20150418-232227")),
        ConflictCase("Syncthing", "report.sync-conflict-20260102-030405-.md", of: "report.md", .strong),
        ConflictCase("Syncthing", "🚀 plan.sync-conflict-20260102-030405-K3XQ7ZA.md", of: "🚀 plan.md", .strong),
        ConflictCase("Nextcloud", "TODO (conflicted copy 2026-07-10 070952).md", of: "TODO.md", .strong),
        ConflictCase("Nextcloud", "mydata (conflicted copy alex 2018-04-10 093612).txt", of: "mydata.txt", .strong),
        ConflictCase("Nextcloud", "plan (conflicted copy alex.smith 2026-01-02 030405)", of: "plan", .strong),
        ConflictCase("Nextcloud", ".bashrc (conflicted copy 2026-01-02 030405)", of: ".bashrc", .strong),
        ConflictCase("Nextcloud", "Image (case clash from 2026-10-03 101500).png", of: "Image.png", .strong),
        ConflictCase("ownCloud", "Test_conflict-20170623-100411.txt", of: "Test.txt", .strong),
        ConflictCase("ownCloud", "foo_conflict-alex-20180306-101112.txt", of: "foo.txt", .strong),
        ConflictCase(
            "ownCloud", "mydata_conflict-20170102-030405 (conflicted copy 2019-01-02 030405).txt", of: "mydata.txt",
            .strong, .nested(parent: "mydata_conflict-20170102-030405.txt")),
        ConflictCase("Seafile", "Plan (SFConflict alex@example.com 2026-10-05-09-36-12).md", of: "Plan.md", .strong),
        ConflictCase("Seafile", "LICENSE (SFConflict alex@example.com 2026-10-05-09-36-12)", of: "LICENSE", .strong),
        ConflictCase("Seafile", " (SFConflict alex@example.com 2026-10-05-09-36-12).bashrc", of: ".bashrc", .strong),
        ConflictCase("Seafile", "Folder (case conflict 1)", of: "Folder", .medium, .folder),
        ConflictCase("Google Drive", "Report (1).xlsx", of: "Report.xlsx", .needsOriginal),
        ConflictCase("Google Drive", "PLAN [Conflict].md", of: "PLAN.md", .medium),
        ConflictCase("Google Drive", "PLAN_conf(1).md", of: "PLAN.md", .needsOriginal),
        ConflictCase("OneDrive", "Plan-DESKTOP-4F2K9QX.md", of: "Plan.md", .medium),
        ConflictCase("OneDrive", "Les notes-MacBook Pro de Alex.md", of: "Les notes.md", .needsOriginal),
        ConflictCase("OneDrive", "Les notes-MacBook Pro de Alex-2.md", of: "Les notes.md", .needsOriginal),
        ConflictCase(
            "OneDrive", "Les notes-MacBook Pro de Alex-MacBook Pro de Alex.md", of: "Les notes.md", .needsOriginal,
            .nested(parent: "Les notes-MacBook Pro de Alex.md")),
        ConflictCase(
            "OneDrive (abraunegg)", "file5-onedrive-client-dev-safeBackup-0001.data", of: "file5.data", .strong),
        ConflictCase("iCloud Drive", "Inbox 2.md", of: "Inbox.md", .needsOriginal),
        ConflictCase("FSNotes", "Diary (CONFLICT 20231005T070858).md", of: "Diary.md", .strong),
        ConflictCase("Box", "Financial Report (alex@example.com).xlsx", of: "Financial Report.xlsx", .needsOriginal),
        ConflictCase("pCloud", "pyvenv [conflicted].cfg", of: "pyvenv.cfg", .medium),
        ConflictCase("pCloud", "PKG-INFO [conflicted]", of: "PKG-INFO", .medium),
        ConflictCase("pCloud", "notes (conflicted).txt", of: "notes.txt", .medium),
        ConflictCase("Resilio Sync", "filename.Conflict.jpg", of: "filename.jpg", .medium),
        ConflictCase("Resilio Sync", "filename.Conflict", of: "filename", .medium),
        ConflictCase(
            "Resilio Sync", "filename.Conflict.Conflict.Conflict", of: "filename", .medium,
            .nested(parent: "filename.Conflict.Conflict")),
        ConflictCase("Synology Drive", "a_Alex-PC_Jan-03-0901-2013_CaseConflict_1.txt", of: "a.txt", .strong),
        ConflictCase(
            "Synology Drive", "UP00_MOCKUP_DESKTOP-A1B2C3D_Jan-15-123319-2026_Conflict.ai", of: "UP00_MOCKUP.ai",
            .strong),
        ConflictCase(
            "Synology Drive", "daq_move_Mono_840G11-ALEX_oct.-05-085858-2026_CaseConflict.py", of: "daq_move_Mono.py",
            .strong),
        ConflictCase(
            "Synology Drive", "HSR57_Alexs-MacBook-Pro.local_Jan-19-140821-2026_Conflict", of: "HSR57", .strong, .folder
        ),
        ConflictCase("MEGA", "Invoice (1).pdf", of: "Invoice.pdf", .needsOriginal),
        ConflictCase(
            "Proton Drive", "README-BLOG (# Name clash 2025-08-07 k2v2c9C #).md", of: "README-BLOG.md", .strong),
        ConflictCase("Proton Drive", "App (# Edit conflict 2026-04-19 4xnybrC #).tsx", of: "App.tsx", .strong),
        ConflictCase("Proton Drive", "Plan (# Name Clash 2026-10-05 2GA1D6Y #).md", of: "Plan.md", .strong),
        ConflictCase(
            "Proton Drive", "poster-slides (# Name clash 2026-07-28 2gwjncC #)", of: "poster-slides", .strong, .folder),
        ConflictCase("kDrive", "notes_conflict_20260314_091500_a1B2c3D4e5.md", of: "notes.md", .strong),
        ConflictCase(
            "kDrive", String(repeating: "L", count: 216) + "_conflict_20260314_091500_a1B2c3D4e5.md",
            of: String(repeating: "L", count: 251) + ".md", .strong),
        ConflictCase("Cozy/Twake Drive", "notes-conflict-2026-01-02T03_04_05.678Z.md", of: "notes.md", .strong),
        ConflictCase("Unison", "report (conflict_on_2026-01-02).txt", of: "report.txt", .strong),
        ConflictCase("Unison", "report (conflict #1_on_2026-01-02).txt", of: "report.txt", .strong),
        ConflictCase("rclone bisync", "file.txt.conflict1", of: "file.txt", .medium, .originalGone),
        ConflictCase("rclone bisync", "file.conflict1.jpg", of: "file.jpg", .medium),
        ConflictCase("rclone bisync", "file5.txt..path1", of: "file5.txt", .medium, .originalGone),
        ConflictCase(
            "rclone bisync", "file.txt.path1.path2", of: "file.txt", .medium, .nested(parent: "file.txt.path1")),
        ConflictCase("git-annex", "foo.variant-c696", of: "foo", .medium, .originalGone),
        ConflictCase("git-annex", "thesis.variant-f16a.pdf", of: "thesis.pdf", .medium, .originalGone),
        ConflictCase(
            "Obsidian Sync", "2026-03-12 (Conflicted copy ThinkPad-T14-G5 202603121129).md", of: "2026-03-12.md",
            .strong),
        ConflictCase(
            "FileCloud", "filename(Conflict_alex (Web browser)_2020-03-25-22-50-36).txt", of: "filename.txt", .strong),
        ConflictCase(
            "SecuriSync", "Our Shared File (Conflicted copy 2015-10-01 for alex).docx", of: "Our Shared File.docx",
            .strong),
        ConflictCase(
            "CTERA", "Jan 10 Meeting Notes (alex’s conflict on 2013-01-11).docx", of: "Jan 10 Meeting Notes.docx",
            .strong),
        ConflictCase("Nutstore", "README(Alex-Windows的冲突副本1_2026-06-26 02-11-37).md", of: "README.md", .strong),
        // Of the same kinds: dotfiles, two extensions, one service's copy of another's, a number in another place.
        ConflictCase("Dropbox", ".bashrc (Alex's conflicted copy 2026-03-14)", of: ".bashrc", .strong),
        ConflictCase("Dropbox", "notas (Copia en conflicto de José 2026-05-04) (2).md", of: "notas.md", .strong),
        ConflictCase("Syncthing", ".env.sync-conflict-20260925-140233-ABCDEFG.local", of: ".env.local", .strong),
        ConflictCase("Syncthing", "a.tar.sync-conflict-20260925-140233-ABCDEFG.gz", of: "a.tar.gz", .strong),
        ConflictCase(
            "Syncthing", "n.sync-conflict-20260925-140233-ABCDEFG.sync-conflict-20260926-101010-HIJKLM2.md",
            of: "n.md", .strong, .nested(parent: "n.sync-conflict-20260925-140233-ABCDEFG.md")),
        ConflictCase(
            "Syncthing", "n (Alex's conflicted copy 2026-03-14).sync-conflict-20260925-140233-ABCDEFG.md",
            of: "n.md", .strong, .nested(parent: "n (Alex's conflicted copy 2026-03-14).md")),
        ConflictCase("Nextcloud", ".profile (conflicted copy 2026-03-14 091500)", of: ".profile", .strong),
        ConflictCase("Unison", " (conflict_on_2026-03-14).bashrc", of: ".bashrc", .strong),
    ]
}
