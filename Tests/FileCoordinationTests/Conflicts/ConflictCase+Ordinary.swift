extension ConflictCase {
    /// Names that people give to files, and that look a little like a copy.
    static let ordinary: [ConflictCase] = [
        ConflictCase("user", "My conflicted copy of feelings.md", .noOriginal),
        ConflictCase("user", "How to fix sync-conflict files.md", .noOriginal),
        ConflictCase("user", "Resolving .sync-conflict- names.md", .noOriginal),
        ConflictCase("user", "merge_conflict-notes.md", .originalPresent("merge.md")),
        ConflictCase("user", "Report (1).md", .noOriginal),
        ConflictCase("user", "Meeting 2.txt", .noOriginal),
        ConflictCase("user", "photo-Copy.jpg", .originalPresent("photo.jpg")),
        ConflictCase("user", "photo - Copy.jpg", .originalPresent("photo.jpg")),
        ConflictCase("user", "03-Chapter 2.md", .noOriginal),
        ConflictCase("user", "06-The-Gate-House.md", .originalPresent("06-The-Gate.md")),
        ConflictCase("user", "notes about a conflicted copy.txt", .noOriginal),
        ConflictCase("user", "(conflicted copy).txt", .noOriginal),
        ConflictCase("user", "a.sync-conflict-2026-143015.txt", .originalPresent("a.txt")),
        ConflictCase("user", "b.sync-conflict-20261399-256199-ABCDEFG.md", .originalPresent("b.md")),
        ConflictCase("user", "충돌 해결 방안.md", .noOriginal),
        ConflictCase("user", "競合コピーの直し方.md", .noOriginal),
        ConflictCase("user", "Album (2026).md", .originalPresent("Album.md")),
        ConflictCase("user", "theme.variant-dark.css", .originalPresent("theme.css")),
        ConflictCase("user", "IMG_0001 (2).JPG", .noOriginal),
        ConflictCase("user", "song.part1.rar", .noOriginal),
        ConflictCase("user", "DESKTOP-4F2K9QX.md", .noOriginal),
        ConflictCase("user", "Invoice_ACME_Jan-03-2026_Conflict of interest.pdf", .noOriginal),
        // Days that no calendar has.
        ConflictCase("user", "x (Anna's conflicted copy 2026-02-30).md", .originalPresent("x.md")),
        ConflictCase("user", "photo_Feb-30-1233-2026_Conflict.jpg", .originalPresent("photo.jpg")),
        ConflictCase("user", "Meeting (Anna 2026-03-14).md", .originalPresent("Meeting.md")),
        ConflictCase("user", "Conflict of interest (policy).pdf", .originalPresent("Conflict of interest.pdf")),
        ConflictCase("user", "song.variant-cafe.mp3", .noOriginal),
    ]
}
