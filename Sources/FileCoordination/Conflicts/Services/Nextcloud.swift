extension ConflictGrammar {
    /// `src/common/utility.cpp`, `makeConflictFileName` and `makeCaseClashConflictFileName`. The tag of a dotfile is at the
    /// end. The date is the local file's modification.
    static let nextcloud = [
        ConflictGrammar(.strong, .nextcloud, .ownCloud, tags: [" (conflicted copy< {who}> {YYYY-MM-DD} {hhmmss})"]),
        ConflictGrammar(
            .strong, .nextcloud, .ownCloud, kind: .caseClash, tags: [" (case clash from {YYYY-MM-DD} {hhmmss})"]),
    ]

    /// Before version 2.5 of the client, and Nextcloud's of that time.
    static let ownCloud = [
        ConflictGrammar(.strong, .ownCloud, .nextcloud, tags: ["_conflict-<{who}->{YYYYMMDD}-{hhmmss}"])
    ]
}
