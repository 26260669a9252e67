extension ConflictGrammar {
    /// A new file of the same name on two devices; edits to one file become versions inside it. Seen, not documented.
    static let iCloud = [
        ConflictGrammar(.weak, .iCloud, kind: .nameClash, tags: [" {n:2-99}", "_{n:2-9}"])
    ]
}
