import Testing

@testable import FileCoordination

@Suite("Conflict names: readings")
struct ConflictNameTests {
    private func reading(_ name: String) throws -> ConflictName {
        try #require(ConflictName.readings(of: name).first, "\(name)")
    }

    @Test
    func everyPatternIsOne() {
        #expect(ConflictTable.shared.unreadable.isEmpty)
        #expect(ConflictTable.shared.grammars.allSatisfy { !$0.services.isEmpty && !$0.patterns.isEmpty })
        #expect(TagPattern("{who") == nil && TagPattern("<a") == nil && TagPattern("a>") == nil)
        #expect(TagPattern("{nothing}") == nil && TagPattern("{hex}") == nil && TagPattern("{YY}") == nil)
    }

    @Test
    func onlyDevicesNamesAreLookedForInNamesOfAnyEnding() {
        let table = ConflictTable.shared
        #expect(!table.unspecific.isEmpty)
        for tag in table.unspecific { #expect(table.grammars[tag.grammar].patterns.contains("-{device}")) }
    }

    @Test
    func theTagsFactsAreRead() throws {
        let syncthing = try reading("note.sync-conflict-20260925-140233-ABCDEFG.md")
        #expect(syncthing.date?.description == "2026-09-25T14:02:33")
        let dropbox = try reading("a (Alex (work)'s conflicted copy 2026-03-14 2).xlsx")
        #expect(dropbox.who == "Alex (work)" && dropbox.number == 2 && dropbox.date?.description == "2026-03-14")
        #expect(dropbox.original == "a.xlsx")
        let fileCloud = try reading("filename(Conflict_alex (Web browser)_2020-03-25-22-50-36).txt")
        #expect(fileCloud.who == "alex (Web browser)")
        #expect(try reading("n-conflict-2026-01-02T03_04_05.678Z.md").date?.description == "2026-01-02T03:04:05Z")
        #expect(try reading("a_PC_oct.-05-085858-2026_Conflict.py").date?.description == "2026-10-05T08:58:58")
        #expect(try reading("x (Conflicted copy ThinkPad 202603121129).md").date?.description == "2026-03-12T11:29")
        #expect(try reading("x (# Delete conflict 2026-04-19 4xnybrC #).tsx").kind == .deletion)
        #expect(try reading("del (conflict_on_2026-11-30_was_deleted).md").kind == .deletion)
    }

    @Test(arguments: [
        "Mär", "março", "févr.", "8月", "10월", "août", "янв.", "wrz", "Şub", "mrt.", "ago", "OKT", "tháng",
        "fe\u{301}vr.",
    ])
    func synologysMonthIsAnyLanguages(month: String) throws {
        let found = try reading("a_b_PC-1_\(month)-05-0858-2026_Conflict_2.txt")
        #expect(found.strength == .strong && found.number == 2)
        #expect(found.original == "a_b.txt" && found.who == "PC-1")
        #expect(found.date == nil || found.date?.day == 5)
    }

    @Test
    func marksInTheOtherNormalizationAreMarks() throws {
        for name in ["S (Cópia em conflito de X 2026-08-25).x", "S (X의 충돌된 사본 2025-10-08).x"] {
            let decomposed = String(decoding: name.unicodeScalars.flatMap { Array(decompose($0).utf8) }, as: UTF8.self)
            #expect(!decomposed.utf8.elementsEqual(name.utf8))
            #expect(try reading(decomposed).strength == .strong)
            #expect(try reading(decomposed).original == "S.x")
        }
    }

    private func decompose(_ scalar: Unicode.Scalar) -> String {
        // Enough for the letters above: é ó and Hangul syllables.
        if scalar == "ó" { return "o\u{301}" }
        guard (0xAC00...0xD7A3).contains(scalar.value) else { return String(scalar) }
        let index = scalar.value - 0xAC00
        let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
        return parts.filter { $0 != 0x11A7 }.compactMap(Unicode.Scalar.init).map { String($0) }.joined()
    }

    @Test(arguments: [
        "a.sync-conflict-20260229-140233-ABCDEFG.md", "a.sync-conflict-20260925-250233-ABCDEFG.md",
        "a.sync-conflict-20260925-140233-ABCDEF.md", "a.sync-conflict-20260925-140233-ABCDEFGH.md",
        "a.sync-conflict-20260925-140233-abcdefg.md", "a.sync-conflict-20260925-140233-ABCDEF1.md",
        "a.Sync-Conflict-20260925-140233-ABCDEFG.md", "a.sync-conflict-20260925-140233-ABCDEFG x.md",
        "a (Alex's conflicted copy 2026-02-30).md", "a (Alex's conflicted copy 2026-03-14) b.md",
        "a (conflicted copy 2026-07-10 246000).md", "a_conflict-20261301-100411.txt",
        "a_conflict_20260314_091500_a1B2c3D4e.md", "a (# Edit conflict 2026-04-19 4xnybr #).tsx",
        "a_PC_Feb-30-0901-2013_Conflict.txt", "a (# Temporary renamed 2026-10-05 k3x9qaR #).md",
        "a.md (# Deleted 2026-10-05 k3x9qaD #)", "a.variant-C696", "a.variant-c69", "a.conflict0", "a.conflict01",
        "a-conflict-2026-01-02T03_04_05.678.md", "a-LAPTOP-12345.md", "a [Conflict] b.md",
        "photo (conflicted copy 2026-01-02 030405).jpg.nextcloud", "a.conflict1.backup.old.txt",
    ])
    func whatIsNotQuiteAMarkIsNone(name: String) {
        #expect(ConflictName.readings(of: name).allSatisfy { $0.strength == .weak })
    }

    @Test(arguments: [
        "Budget (case conflict).xlsx", "Budget (Case conflict 2).xlsx", "Budget (CONFLICTED COPY 2026-01-02).xlsx",
        "Budget (copia en conflicto de Alex 2026-01-02).xlsx", "Budget (Alex\u{2019}s conflicted copy 2026-01-02).xlsx",
        "Budget (Alex's conflicted copy 2026-01-02) (1).xlsx", "Budget (Alex's conflicted copy 2026-01-02 (1)).xlsx",
        "Budget (Alex :)'s conflicted copy 2026-01-02).xlsx", "Budget (# NAME CLASH 2025-08-07 k2v2c9C #).xlsx",
        "Budget-LAPTOP-ABC1234.xlsx", "Budget-LAPTOP-1BCD5678-3.xlsx", "Budget.conflict12.xlsx",
        "Budget.Conflict3.xlsx",
        "Budget.xlsx.conflict-2026-11-301", "Budget (conflicted 2).xlsx",
        "Budget (edits by alex not merged 2026-01-02).xlsx", "Budget (alex's conflict on 2026-01-02).xlsx",
        "Budget (view-only conflicts).xlsx", "Budget (White Space Conflict).xlsx",
        "Budget_orphan_20260314_091500_a1B2c3D4e5.xlsx",
        "Budget.variant-SHA256E-s5--0123456789abcdef0123456789abcdef.xlsx",
    ])
    func otherFormsOfAMarkAreMarks(name: String) throws {
        let found = try reading(name)
        #expect(found.original == "Budget.xlsx")
        #expect(found.strength >= .medium)
    }

    @Test
    func longExtensionsAreKeptByRcloneOnly() throws {
        #expect(ConflictName.readings(of: "a.conflict1.tar.gz").map(\.original) == ["a.tar.gz"])
        #expect(ConflictName.readings(of: "a (Alex's conflicted copy 2026-01-02).tar.gz").isEmpty)
    }

    @Test
    func aNameThatIsNothingButATagHasNoReading() {
        for name in ["(conflicted copy).txt", " (1).txt", "-DESKTOP-4F2K9QX.md", ".conflict1", "_conf(1).md", " 2", ""]
        {
            #expect(ConflictName.readings(of: name).isEmpty, "\(name)")
        }
    }

    @Test
    func namesBeyondAnyFileSystemsLimitHaveNone() {
        let tag = " (Alex's conflicted copy 2026-01-02)"
        #expect(ConflictName.readings(of: String(repeating: "a", count: 900) + tag).count == 1)
        #expect(ConflictName.readings(of: String(repeating: "a", count: 1024) + tag).isEmpty)
    }
}
