extension ConflictGrammar {
    /// `platforminconsistencycheckerutility.cpp`: the base is cut so that the name has 255 units.
    static let kDrive = [
        ConflictGrammar(
            .strong, .kDrive,
            tags: ["conflict", "blacklisted", "orphan"].map { "_\($0)_{YYYYMMDD}_{hhmmss}_{alnum:10}" }
        ).with(\.cutsFrom, 240)
    ]
}
