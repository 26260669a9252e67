extension SyncService {
    /// Cozy and Twake Drive.
    public static let cozy = SyncService(rawValue: "Cozy/Twake Drive")
}

extension ConflictGrammar {
    /// `core/utils/conflicts.js`: the base is cut at 180. A conflict of a conflict gets a new stamp instead of a second one.
    static let cozy = [
        ConflictGrammar(.strong, .cozy, tags: ["-conflict-{YYYY-MM-DDThh_mm_ss.fffZ}"])
            .with(\.cutsFrom, 180 + 34).with(\.isUTC, true)
    ]
}
