extension ConflictGrammar {
    /// `pclsync/plibs.c` (parentheses), copies that have been seen (brackets), and the help page (a suffix).
    static let pCloud = [
        ConflictGrammar(
            .medium, .pCloud, tags: [" [conflicted< {n}>]", " (conflicted< {n}>)", ".conflicted"]
        ).with(\.ignoresCase, true)
    ]
}
