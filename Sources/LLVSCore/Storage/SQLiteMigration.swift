/// Brings an older database up to the present format, in one transaction: it is the old one or the new one.
///
/// Reading needs no migration: whoever knows a format reads all before it. A format gets a number when older software would
/// misread what is written from then on.
enum SQLiteMigration {
    /// What leads to each format, from the second on.
    private static let steps: [(format: Int64, sql: [String])] = [
        // Bodies of values may be deflated (``BodyRow``). Those that are there stay as they are.
        (2, []),
        // Nodes of maps may be differences with other keys (``MapNodeDelta``), rows of versions hold their change lists
        // (``VersionRow``), and the log of versions has the heads (``LogEntry``). Rows that are there stay as they are. The old
        // list of heads goes by another name, so that software of before that still runs fails rather than overlooks some.
        (
            3,
            [
                SQLiteZoneKind.keyed.creation("heads"), SQLiteZoneKind.keyed.creation("tips"),
                "INSERT OR REPLACE INTO k_tips SELECT key, value FROM k_heads", "DROP TABLE k_heads",
            ]
        ),
    ]

    /// Call only in the writer lock.
    static func run(on connection: SQLiteConnection) throws {
        guard try connection.number(.format) < SQLitePlace.format else { return }
        do {
            try connection.run(.beginWriting)
            let format = try connection.number(.format)
            for step in steps where step.format > format {
                for sql in step.sql { try connection.execute(sql) }
            }
            try connection.run(.setFormat)
            try connection.commit()
        } catch {
            // Rolled back by SQLite if this fails too: the connection is dropped with the error.
            _ = connection.rollBack()
            throw error
        }
    }
}
