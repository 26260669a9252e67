extension SyncService {
    /// git-annex.
    public static let gitAnnex = SyncService(rawValue: "git-annex")
}

extension ConflictGrammar {
    /// `Annex/VariantFile.hs`: the key's hash, or the whole key in a second conflict. Both sides are renamed.
    static let gitAnnex = [
        ConflictGrammar(
            .medium, .gitAnnex, tags: [".variant-{hexnum:4}", ".variant-{upper:1-16}-s{digits:1-15}--{hexnum:32-128}"]
        ).with(\.takesDotfiles, true),
        // Words: "face", "cafe".
        ConflictGrammar(.weak, .gitAnnex, tags: [".variant-{hex:4}"]).with(\.takesDotfiles, true),
    ]
}
