extension ConflictGrammar {
    /// Dropbox's copies in languages whose words are not known (Dutch, Norwegian, Ukrainian …): a phrase with a real date in
    /// parentheses. A person and a date are no phrase.
    static let unknown = [ConflictGrammar(.weak, .unknown, tags: [" ({phrase} {YYYY-MM-DD}< {n}>)"])]
}
