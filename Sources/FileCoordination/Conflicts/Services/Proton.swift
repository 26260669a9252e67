extension ConflictGrammar {
    /// `SyncAgentFactory.cs` (six characters and a C) and `NSFileProviderItem+ConflictName.swift` (seven). "Temporary
    /// renamed" and "Deleted", of the same shape, are moves in progress.
    static let proton = [
        proton("Edit conflict", .edit), proton("Name clash", .nameClash), proton("Delete conflict", .deletion),
    ]

    private static func proton(_ words: String, _ kind: ConflictKind) -> ConflictGrammar {
        ConflictGrammar(.strong, .protonDrive, kind: kind, tags: [" (# \(words) {YYYY-MM-DD} {alnum:7} #)"])
            .with(\.ignoresCase, true).with(\.takesDotfiles, true)
    }
}
