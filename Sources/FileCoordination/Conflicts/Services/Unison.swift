extension ConflictGrammar {
    /// `src/files.ml` and `src/path.ml`; a dotfile's tag begins the name, with its space.
    static let unison = [
        ConflictGrammar(.strong, .unison, tags: [" (conflict< #{n}>_on_{YYYY-MM-DD})"]).with(\.takesDotfiles, true),
        ConflictGrammar(.strong, .unison, kind: .deletion, tags: [" (conflict< #{n}>_on_{YYYY-MM-DD}_was_deleted)"])
            .with(\.takesDotfiles, true),
    ]
}
