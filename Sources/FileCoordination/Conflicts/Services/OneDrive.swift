extension ConflictGrammar {
    /// The computer's name after a hyphen, then a number: a default Windows name says something alone, others need an
    /// original. The Linux client's safe backups are in its `docs/client-architecture.md`.
    static let oneDrive = [
        ConflictGrammar(
            .strong, .oneDriveAbraunegg, tags: ["-{host}-safeBackup-{digits:4}", "-{who}-safeBackup-{digits:4}"]),
        ConflictGrammar(
            .medium, .oneDrive, .oneDriveAbraunegg,
            tags: ["-DESKTOP-{uppernum:7}<-{n:1-99}>", "-LAPTOP-{uppernum:7-8}<-{n:1-99}>"]),
        ConflictGrammar(.weak, .oneDrive, .oneDriveAbraunegg, tags: ["-{device}", "-{device}-{n:1-99}"]),
    ]
}
