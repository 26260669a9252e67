import TestSupport
import Testing

@testable import LLVSCore

/// JSON as the merge reads and writes it.
@Suite("Merging JSON: reading and writing") struct MergingJSONParserTests {
    private func canonical(_ text: String) -> String? {
        JSONTreeParser.tree([UInt8](text.utf8))?.canonicalText
    }

    @Test(
        "what is read is written in one way",
        arguments: [
            ("null", "null"), (" true\n", "true"), ("\tfalse\r\n", "false"), ("0", "0"), ("-0", "-0"),
            ("18446744073709551617", "18446744073709551617"), ("1.0", "1.0"), ("1E+400", "1E+400"),
            ("-12.50e-03", "-12.50e-03"), ("\"\"", "\"\""), ("[]", "[]"), ("{ }", "{}"), ("[ 1 , [ ] ]", "[1,[]]"),
            ("{\"b\":1,\"a\":{\"d\":2,\"c\":3}}", "{\"a\":{\"c\":3,\"d\":2},\"b\":1}"),
            ("{\"\":1}", "{\"\":1}"), ("\"\\/\\u0041\\u00e9\"", "\"/Aé\""), ("\"\\ud83d\\ude00\"", "\"😀\""),
            ("\"\\u0000\\u001F\\b\\t\\n\\f\\r\\u007f\"", "\"\\u0000\\u001f\\b\\t\\n\\f\\r\u{7f}\""),
            ("\"\\\\\\\"\"", "\"\\\\\\\"\""),
            // Names by their bytes: upper case before lower, ASCII before the rest, astral characters last.
            ("{\"😀\":1,\"\u{FFFD}\":2,\"é\":3,\"a\":4,\"B\":5}", "{\"B\":5,\"a\":4,\"é\":3,\"\u{FFFD}\":2,\"😀\":1}"),
            // Two spellings of one letter are two names.
            ("{\"e\u{301}\":1,\"\u{e9}\":2}", "{\"e\u{301}\":1,\"\u{e9}\":2}"),
        ])
    func canonicalText(_ text: String, _ expected: String) throws {
        let written = try #require(canonical(text))
        #expect(written.utf8.elementsEqual(expected.utf8))
        #expect(canonical(written)?.utf8.elementsEqual(expected.utf8) == true)
    }

    @Test(
        "what is not JSON, or not unambiguous, is refused",
        arguments: [
            "", " ", "nul", "nulll", "True", "NaN", "Infinity", "+1", "01", "-01", "-", "1.", ".5", "1.e3", "1e", "1e+",
            "0x10", "1 2", "[1,]", "[,1]", "[1 2]", "[", "]", "[1", "{", "}", "{,}", "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}", "{'a':1}", "{\"a\":1 \"b\":2}", "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":2}", "\"", "\"\\\"",
            "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\ud800x\"",
            "\"\t\"", "\"\n\"", "\"\u{0}\"", "\u{FEFF}1", "// 1", "1 // 1", "/* */ 1", "\u{A0}1",
        ])
    func refused(_ text: String) {
        #expect(canonical(text) == nil)
    }

    @Test(
        "bytes that are not UTF-8 are refused",
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFF, 0xFE, 0x31, 0],
        ])
    func notUTF8(_ bytes: [UInt8]) {
        #expect(JSONTreeParser.tree(bytes) == nil)
    }

    @Test("nesting is read to its limit, and refused beyond it, however deep")
    func depth() {
        func nested(_ depth: Int) -> JSONTree? {
            JSONTreeParser.tree(
                [UInt8](repeating: UInt8(ascii: "["), count: depth)
                    + [UInt8](repeating: UInt8(ascii: "]"), count: depth))
        }
        #expect(nested(JSONTreeParser.maximumDepth) != nil)
        #expect(nested(JSONTreeParser.maximumDepth + 1) == nil)
        #expect(nested(1_000_000) == nil)
        #expect(JSONTreeParser.tree([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)) == nil)
    }

    /// A random document.
    private func tree(_ random: inout SeededRandom, depth: Int) -> JSONTree {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number([UInt8]("\(Int64.random(in: .min...(.max), using: &random))".utf8))
        case 3: return .number([UInt8]("\(Double.random(in: -1e9...1e9, using: &random))".utf8))
        case 4: return .string(text(&random))
        case 5:
            return .array((0..<Int.random(in: 0..<5, using: &random)).map { _ in tree(&random, depth: depth - 1) })
        default:
            var members: [[UInt8]: JSONTree] = [:]
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                members[text(&random)] = tree(&random, depth: depth - 1)
            }
            return .object(members)
        }
    }

    private func text(_ random: inout SeededRandom) -> [UInt8] {
        let characters: [Character] = ["a", "\"", "\\", "\n", "\u{1}", "é", "😀", "/", "{", " "]
        let picked = (0..<Int.random(in: 0..<6, using: &random)).compactMap { _ in
            characters.randomElement(using: &random)
        }
        return [UInt8](String(picked).utf8)
    }

    @Test("what is written is read as the same", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let tree = tree(&random, depth: 5)
            #expect(JSONTreeParser.tree(tree.canonicalBytes) == tree, "seed \(seed)")
        }
    }

    @Test(
        "damaged and random bytes never trap, and what is still read is written and read alike",
        arguments: [1, 2, 3] as [UInt64])
    func fuzz(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let alphabet = [UInt8]("{}[]\",:\\u0123456789abcdefDtrnls-+.eE \n".utf8)
        var accepted = 0
        for round in 0..<3_000 {
            var bytes: [UInt8]
            if round % 2 == 0 {
                bytes = tree(&random, depth: 3).canonicalBytes
                for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes[index] = alphabet.randomElement(using: &random) ?? 0
                    default: bytes.remove(at: index)
                    }
                }
            } else {
                bytes = (0..<Int.random(in: 0..<24, using: &random)).compactMap { _ in
                    alphabet.randomElement(using: &random)
                }
            }
            guard let tree = JSONTreeParser.tree(bytes) else { continue }
            accepted += 1
            #expect(JSONTreeParser.tree(tree.canonicalBytes) == tree, "seed \(seed), round \(round): \(bytes)")
        }
        #expect(accepted > 100)
    }
}
