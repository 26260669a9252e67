extension ConflictGrammar {
    /// Forms that have been seen; Google documents none of them.
    static let googleDrive = [
        ConflictGrammar(.medium, .googleDrive, tags: [" [Conflict< {n}>]"]).with(\.ignoresCase, true),
        ConflictGrammar(.weak, .googleDrive, kind: .nameClash, tags: [" ({n:1-999})"]),
        ConflictGrammar(.weak, .googleDrive, tags: ["_conf({n:1-999})"]),
    ]
}
