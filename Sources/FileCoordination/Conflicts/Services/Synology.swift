extension ConflictGrammar {
    /// The knowledge base's page on conflict resolution, and names that have been seen: the month may be in the computer's
    /// language, the client's name may hold anything.
    static let synology = [
        tag("Conflict", .edit), tag("CaseConflict", .caseClash), tag("DownloadCaseConflict", .caseClash),
        tag("WhiteSpaceConflict", .whitespaceClash), tag("TailCharacterConflict", .whitespaceClash),
    ]

    private static func tag(_ reason: String, _ kind: ConflictKind) -> ConflictGrammar {
        let times = ["{hhmmss}", "{hhmm}"]
        return ConflictGrammar(
            .strong, .synologyDrive, kind: kind, tags: times.map { "_{who}_{mon}-{DD}-\($0)-{YYYY}_\(reason)<_{n}>" })
    }
}
