extension ConflictGrammar {
    /// `common/vc-common.c`; the case clash is in `daemon/change-set.c`. A dotfile's tag begins the name, with its space.
    static let seafile = [
        ConflictGrammar(.strong, .seafile, tags: [" (SFConflict< {who}> {YYYY-MM-DD-hh-mm-ss})"])
            .with(\.takesDotfiles, true),
        ConflictGrammar(.medium, .seafile, kind: .caseClash, tags: [" (case conflict< {n}>)"]),
    ]
}
