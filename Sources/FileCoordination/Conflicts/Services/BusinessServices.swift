extension SyncService {
    /// Nutstore.
    public static let nutstore = SyncService(rawValue: "Nutstore")
    /// FileCloud.
    public static let fileCloud = SyncService(rawValue: "FileCloud")
    /// SecuriSync.
    public static let securiSync = SyncService(rawValue: "SecuriSync")
    /// CTERA.
    public static let ctera = SyncService(rawValue: "CTERA")
}

extension ConflictGrammar {
    /// Documented by the vendors or their customers, but for Nutstore's, which has been seen.
    static let business = [
        ConflictGrammar(.strong, .nutstore, tags: ["({who}的冲突副本<{n}>_{YYYY-MM-DD hh-mm-ss})"]),
        ConflictGrammar(.strong, .fileCloud, tags: ["(Conflict_{who}_{YYYY-MM-DD-hh-mm-ss})"]),
        ConflictGrammar(.strong, .securiSync, tags: [" (Conflicted copy {YYYY-MM-DD} for {who})"]).with(
            \.ignoresCase, true),
        ConflictGrammar(
            .strong, .ctera,
            tags: [
                " ({who}'s conflict on {YYYY-MM-DD})", " ({who}\u{2019}s conflict on {YYYY-MM-DD})",
                " (edits by {who} not merged {YYYY-MM-DD})",
            ]),
    ]
}
