extension ConflictGrammar {
    /// `sdk/src/filesystem.cpp`: downloads that meet a file of their name.
    static let mega = [
        ConflictGrammar(.weak, .mega, kind: .nameClash, tags: [" ({n:1-999})", ".old{n:1-999}"])
    ]
}
