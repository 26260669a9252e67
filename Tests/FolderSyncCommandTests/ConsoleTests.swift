import Foundation
import Testing

@testable import FolderSyncCommand

@Suite("Console")
struct ConsoleTests {
    @Test("Control characters are shown, not sent to the terminal")
    func controlsAreShown() {
        #expect(printable("plain é") == "plain é")
        #expect(printable("a\nb\tc\u{1b}[31m\u{0}\u{202e}") == "a\\nb\\tc\\u{1b}[31m\\u{0}\\u{202e}")
        #expect(printable(name: [0x61, 0xff, 0x0a]) == "a\\xff\\x0a")
    }

    @Test("A bar shows its share")
    func barShowsShare() {
        #expect(ProgressBar.text("reading", 12, nil) == "reading 12")
        #expect(ProgressBar.text("saving", 1, 2) == "saving [###############...............] 50 %")
        #expect(ProgressBar.text("saving", 9, 2).hasSuffix("] 100 %"))
        #expect(ProgressBar.text("saving", 0, 0) == "saving 0")
    }

    @Test("Sizes are told in powers of a thousand")
    func sizesAreShort() {
        let told = [0, 1, 999, 1_000, 99_949, 99_951, 999_949, 999_950, 17_090_000, 1 << 30, .max].map(sized)
        #expect(
            told == [
                "0 bytes", "1 byte", "999 bytes", "1.0 kB", "99.9 kB", "100 kB", "999 kB", "1.0 MB", "17.1 MB",
                "1.1 GB",
                "9.2 EB",
            ])
    }

    @Test("Items are counted by reason, and the first few named")
    func itemsAreCounted() {
        let links = (1...7).map { SkippedItem(file: "\($0)", reason: "link") }
        let items = links + [SkippedItem(file: "x\n", reason: "odd"), SkippedItem(file: "", reason: "in general")]
        #expect(
            items.summary("skipped", showing: 2) == [
                "skipped: link (7 files)", "  1", "  2", "  and 5 more (--json lists them all)",
                "skipped: odd (1 file)", "  x\\n", "skipped: in general",
            ])
    }

    @Test("No character that a reader may take for a line's end stands in an object, and none is lost")
    func objectsAreOneLineForEveryReader() throws {
        let texts = ["a\u{2028}b\u{2029}", "\u{85}\u{7f}\u{9f}", "\"\\\n\u{1}", "é🚀\u{2027}\u{a0}"]
        let encoded = JSONLines.oneLine(Array(try JSONEncoder().encode(texts)))
        let line = String(decoding: encoded, as: UTF8.self)
        #expect(!line.unicodeScalars.contains { [0x2028, 0x2029, 0x85, 0x7f, 0x9f, 0x0a].contains($0.value) })
        #expect(try JSONDecoder().decode([String].self, from: Data(encoded)) == texts)
    }
}
