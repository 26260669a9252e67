extension ConflictGrammar {
    /// "Conflict files in Sync" of its help: for names that clash in case, normalization or characters, not for edits.
    static let resilio = [
        ConflictGrammar(.medium, .resilio, kind: .caseClash, tags: [".Conflict<{n:1-999}>"]).with(\.takesDotfiles, true)
    ]
}
