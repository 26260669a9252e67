extension SyncService {
    /// Obsidian Sync.
    public static let obsidian = SyncService(rawValue: "Obsidian Sync")
    /// FSNotes, on iCloud Drive.
    public static let fsNotes = SyncService(rawValue: "FSNotes")
}

extension ConflictGrammar {
    /// Programs that write copies themselves: Obsidian's help (issue 1056 of its repository), FSNotes' issue 1624.
    static let apps = [
        ConflictGrammar(.strong, .obsidian, tags: [" (Conflicted copy {who} {YYYYMMDDhhmm})"]).with(
            \.ignoresCase, true),
        ConflictGrammar(.strong, .fsNotes, tags: [" (CONFLICT {YYYYMMDDThhmmss})"]),
    ]
}
