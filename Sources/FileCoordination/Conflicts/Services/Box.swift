extension ConflictGrammar {
    /// Reported by users; Box says only that a copy is "saved separately".
    static let box = [ConflictGrammar(.weak, .box, tags: [" ({mail})"])]
}
