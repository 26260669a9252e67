extension SyncService {
    /// rclone's bisync.
    public static let rcloneBisync = SyncService(rawValue: "rclone bisync")
}

extension ConflictGrammar {
    /// `docs/content/bisync.md`: after the extension, or before it with `--suffix-keep-extension`; without a winner both
    /// sides are renamed. `..path1` before version 1.66. Suffixes of the user's own choice cannot be known.
    static let rclone = [
        ConflictGrammar(
            .medium, .rcloneBisync,
            tags: [".conflict{n:1-999}", ".conflict-{YYYY-MM-DD}{digits:1}", "..path{n:1-2}", ".path{n:1-2}"]
        ).with(\.keepsLongExtensions, true),
        // People write dates too; rclone puts a number right after its own.
        ConflictGrammar(.weak, .rcloneBisync, tags: [".conflict-{YYYY-MM-DD}"]),
    ]
}
