import TestSupport
import Testing

@testable import FileCoordination

/// Names made from every pattern are read back, and hurt ones are not.
@Suite("Conflict names: generated")
struct ConflictNameGenerationTests {
    private static let seed: UInt64 = 4_711

    @Test
    func whatIsMadeFromAPatternIsReadBackToItsBase() throws {
        var maker = ConflictNameMaker(seed: Self.seed)
        for grammar in ConflictGrammar.all {
            for spelling in try grammar.patterns.flatMap({ try #require(TagPattern($0)).spellings }) {
                for _ in 0..<3 {
                    let (base, ending) = (maker.base(), maker.ending())
                    let name = base + maker.tag(spelling) + ending
                    let readings = ConflictName.readings(of: name)
                    let found = readings.first { $0.original.utf8.elementsEqual((base + ending).utf8) }
                    #expect(found != nil, "seed \(Self.seed): \(name) from \(grammar.patterns)")
                    #expect((found?.strength ?? .weak) >= grammar.strength, "seed \(Self.seed): \(name)")
                }
            }
        }
    }

    @Test
    func anImpossibleDateOrAMarkInTheMiddleIsNoEvidence() throws {
        var maker = ConflictNameMaker(seed: Self.seed + 1)
        for grammar in ConflictGrammar.all where grammar.strength == .strong {
            for spelling in try grammar.patterns.flatMap({ try #require(TagPattern($0)).spellings }) {
                let (base, ending) = (maker.base(), maker.ending())
                let isDated = spelling.contains(.element(.time(.month)))
                var hurt = [base + maker.tag(spelling) + " and more" + ending]
                if isDated { hurt.append(base + maker.tag(spelling, month: "13") + ending) }
                if isDated { hurt.append(base + maker.tag(spelling, month: "00") + ending) }
                for name in hurt {
                    let readings = ConflictName.readings(of: name)
                    #expect(readings.allSatisfy { $0.strength == .weak }, "seed \(Self.seed + 1): \(name)")
                }
            }
        }
    }

    @Test
    func ordinaryNamesAreAtMostPossible() {
        var maker = OrdinaryNameMaker(seed: Self.seed + 2)
        for _ in 0..<10_000 {
            let name = maker.name()
            let readings = ConflictName.readings(of: name)
            #expect(readings.allSatisfy { $0.strength == .weak }, "seed \(Self.seed + 2): \(name)")
        }
    }

    @Test
    func anyBytesAreReadInBoundedTime() {
        var random = SeededRandom(seed: Self.seed + 3)
        let table = ConflictTable.shared
        for round in 0..<3_000 {
            let bytes = random.bytes(Int.random(in: 0...300, using: &random))
            bytes.withUnsafeBytes { name in
                for reading in table.readings(of: name, deviceNames: []) { #expect(!reading.original.isEmpty) }
            }
            // Pieces of marks, in any order.
            let pieces = [
                "(", ")", "_", "-", " (", "'s conflicted copy ", "2026-01-02", "_Conflict", "MacBook", ".", "1", " ",
            ]
            let name = (0..<40).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            #expect(ConflictName.readings(of: name).count < 100, "round \(round)")
        }
        for piece in ["(", "_", "-", " (", "-MacBook", "_a", ")", "é", ".Conflict", " (1)"] {
            let name = String(repeating: piece, count: 1000 / piece.utf8.count) + "_PC_Jan-03-0901-2013_Conflict"
            #expect(ConflictName.readings(of: name).count < 100)
        }
    }
}

/// Fills the fields of patterns with what is allowed there.
struct ConflictNameMaker {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private mutating func one<T>(of values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    mutating func base() -> String {
        one(of: [
            "report", "my notes", "a.b.c", "2026-03-12", "Budget (final)", "x-y-z", "UP00_MOCKUP", "Café",
            "cafe\u{301}", "דוח",
            "🚀 plan", "👩‍👩‍👧", "it's", "résumé v1.2 (draft)", "日本語", String(repeating: "n", count: 180), ".bashrc", "a [b]",
        ])
    }

    mutating func ending() -> String { one(of: [".md", ".xlsx", "", ".gz", ".R", ".7z"]) }

    mutating func tag(_ spelling: [TagPattern.Part], month: String? = nil) -> String {
        spelling.map { part in
            switch part {
            case .literal(let text): text
            case .element(let element): text(element, month)
            }
        }.joined()
    }

    private mutating func text(_ element: TagElement, _ month: String?) -> String {
        switch element {
        case .literal: ""
        case .text(let rule): text(rule)
        case .characters(let characters, let least, let most): text(characters, least, most)
        case .number(let range): String(Int.random(in: range, using: &random))
        case .monthName: one(of: ["Jan", "oct.", "Mär", "8月"])
        case .time(.year): String(Int.random(in: 2000...2099, using: &random))
        case .time(.month): month ?? two(1...12)
        case .time(.day): two(1...28)
        case .time(.hour): two(0...23)
        case .time(.minute), .time(.second): two(0...59)
        case .time(.fraction): "1" + two(0...99)
        }
    }

    private mutating func two(_ range: ClosedRange<Int>) -> String {
        let number = Int.random(in: range, using: &random)
        return number < 10 ? "0\(number)" : "\(number)"
    }

    private mutating func text(_ rule: TagText) -> String {
        switch rule {
        case .who:
            one(of: ["Alex", "alex.smith", "Alex (work)", "Zoë", "Alex 🚀", "mbp.fritz.box", "Sam's iPad", "王 小明"])
        case .host: one(of: ["alexpc", "client-dev", "mbp.local"])
        case .device:
            one(of: ["DESKTOP-4F2K9QX", "MacBook Pro de Alex", "Alex's iMac", "ALEX-PC", "Alexs-MacBook-Air"])
        case .mail: one(of: ["alex@example.com", "a.b@c.de"])
        case .phrase: one(of: ["Conflicterende kopie van Alex", "Конфліктна копія"])
        }
    }

    private mutating func text(_ characters: TagCharacters, _ least: Int, _ most: Int) -> String {
        let allowed = (UInt8.min...UInt8.max).filter(characters.contains).map { String(UnicodeScalar($0)) }
        let digits = allowed.filter { $0.utf8.allSatisfy(\.isASCIIDigit) }
        let count = Int.random(in: least...most, using: &random)
        return (0..<count).map { $0 == 0 ? one(of: digits) : one(of: allowed) }.joined()
    }
}
