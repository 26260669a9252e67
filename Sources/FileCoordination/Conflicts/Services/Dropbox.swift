extension ConflictGrammar {
    /// "Conflicted copy" on Dropbox's help pages, in the languages in which copies have been seen; the number of a second
    /// copy stands in any of three places. Without a date: uploads of phones and programs.
    static let dropbox: [ConflictGrammar] = [
        ConflictGrammar(.strong, .dropbox, tags: dropboxCopies.flatMap(dated)),
        ConflictGrammar(.medium, .dropbox, tags: dropboxCopies.flatMap(undated)),
        // With a time in a form of its own.
        ConflictGrammar(
            .strong, .dropbox,
            tags: [" (Конфликтующая копия пользователя {who} {YYYY-MM-DD} {stamp:3-10})"]),
        ConflictGrammar(.strong, .dropbox, kind: .encodingClash, tags: [" (Unicode Encoding Conflict< {n}>)"]),
        ConflictGrammar(.medium, .dropbox, kind: .caseClash, tags: [" (Case Conflict< {n}>)"]),
        ConflictGrammar(
            .medium, .dropbox, kind: .whitespaceClash,
            tags: [" (Whitespace Conflict< {n}>)", " (White Space Conflict< {n}>)"]),
        ConflictGrammar(
            .medium, .dropbox, kind: .selectiveSync,
            tags: [
                " (Selective Sync Conflict< {n}>)", " (Konflikt durch selektive Synchronisierung< {n}>)",
                " (選択型同期の競合< {n}>)",
            ]),
        ConflictGrammar(
            .medium, .dropbox, kind: .permission,
            tags: [
                " (view-only conflict<s>< {n}>)", " (permission conflict<s>< {n}>)", " (Schreibschutzkonflikte< {n}>)",
                " (読み取り専用の競合< {n}>)",
            ]),
        ConflictGrammar(
            .medium, .dropbox, kind: .sharedFolder,
            tags: [" (shared folder conflict<s>< {n}>)", " (konflikt med delad mapp< {n}>)"]),
    ].map { $0.with(\.ignoresCase, true).with(\.takesDotfiles, true) }

    /// One for each language; Norwegian, Dutch, Ukrainian and others are not known, see ``unknown``.
    private static let dropboxCopies = [
        "{who}'s conflicted copy", "{who}\u{2019}s conflicted copy", "conflicted copy",
        "{who}s in Konflikt stehende Kopie", "In Konflikt stehende Kopie von {who}", "Copie en conflit de {who}",
        "Copia en conflicto de {who}", "Copia conflictiva de {who}", "Copia in conflitto di {who}",
        "Cópia em conflito de {who}", "{who}< >の競合コピー", "{who}上の問題のあるコピー", "{who}< >的冲突副本",
        "{who}衝突複本", "{who}< >의 충돌된 사본", "{who}s modstridende kopi", "{who}:s motstridiga kopia",
        "{who}s motstridiga kopia", "kopia powodująca konflikt użytkownika {who}",
        "Конфликтующая копия пользователя {who}",
    ]

    private static func dated(_ copy: String) -> [String] {
        let tag = " (\(copy) {YYYY-MM-DD}"
        return ["\(tag)< {n}>)", "\(tag) ({n}))", "\(tag)) ({n})"]
    }

    private static func undated(_ copy: String) -> [String] { [" (\(copy)< {n}>)", " (\(copy)) ({n})"] }
}
