extension ConflictGrammar {
    /// `sync.py` and `utils/path.py`; the number is inside. Its copies of edits are Dropbox's.
    static let maestral = [
        ConflictGrammar(.strong, .maestral, tags: [" ({who}'s conflicted copy {YYYY-MM-DD}< {n}>)"]),
        ConflictGrammar(.medium, .maestral, kind: .caseClash, tags: [" (case conflict< {n}>)"]),
        ConflictGrammar(
            .medium, .maestral, kind: .encodingClash,
            tags: [" (unicode conflict< {n}>)", " (normalization conflict< {n}>)"]),
        ConflictGrammar(.medium, .maestral, kind: .selectiveSync, tags: [" (selective sync conflict< {n}>)"]),
    ]
}
