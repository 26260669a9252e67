import Foundation
import LLVSCore
import Testing

/// One version of Fixtures/encoding-1.txt: the parts it is made of, and what they must come to.
struct ModelVector: CustomTestStringConvertible, Sendable {
    let title: String
    private let lines: [(word: String, fields: [Substring])]

    var testDescription: String { title }

    /// All versions of the fixture, and the root's id.
    static func load() throws -> (root: String, vectors: [ModelVector]) {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/encoding-1.txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        let blocks = text.split(separator: "\n\n").dropFirst()
        let root = try #require(blocks.first).dropFirst("root ".count)
        return (String(root), try blocks.dropFirst().map { try ModelVector($0) })
    }

    static func record(_ title: String) throws -> VersionRecord {
        try #require(try load().vectors.first { $0.title == title }).record()
    }

    private init(_ block: Substring) throws {
        let lines = block.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return (word: String(words[0]), fields: Array(words.dropFirst()))
        }
        title = try #require(lines.first).fields.joined(separator: " ")
        self.lines = lines
    }

    private func all(_ word: String) -> [[Substring]] { lines.filter { $0.word == word }.map(\.fields) }

    private func one(_ word: String) throws -> [Substring] { try #require(all(word).first, "no \(word)") }

    func text(_ word: String) throws -> String { String(try #require(try one(word).first)) }

    func bytes(_ word: String) throws -> [UInt8] { try Self.bytes(Substring(try text(word))) }

    func number<Number: FixedWidthInteger>(_ word: String, _ index: Int = 0) throws -> Number {
        try #require(Number(try one(word)[index]))
    }

    var isForeign: Bool { !all("foreign").isEmpty }

    /// The record, made of the parts.
    func record() throws -> VersionRecord {
        let kinds: [String: Version.Kind] = ["authored": .authored, "merge": .merge, "join": .join]
        return try VersionRecord(
            kind: try #require(kinds[try text("kind")]),
            parents: try all("parent").map { try Version.ID(String($0[0])) },
            basis: try Version.ID(try text("basis")), generation: try number("generation"),
            stamp: Stamp(milliseconds: try number("stamp"), counter: try number("stamp", 1)), time: try number("time"),
            metadata: try metadata(), changes: try ChangeList(try all("change").map { try entry($0) }),
            foreignID: isForeign ? try Version.ID(try text("foreign")) : nil)
    }

    private func metadata() throws -> Version.Metadata {
        let pairs = try all("metadata").map { fields in
            let key = try Self.bytes(fields[0])
            return (try #require(String(validating: key, as: UTF8.self)), try Self.bytes(fields[1]))
        }
        return Version.Metadata(Dictionary(uniqueKeysWithValues: pairs))
    }

    private static func bytes(_ hex: Substring) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

    private static func digest(_ hex: Substring) throws -> Digest {
        let bytes = try bytes(hex)
        return try #require(Digest(bytes: bytes))
    }

    private func entry(_ fields: [Substring]) throws -> ChangeList.Entry {
        let operations: [Substring: ChangeList.Operation] = [
            "insert": .insert, "update": .update, "remove": .remove, "preserve": .preserve,
            "preserveRemoval": .preserveRemoval,
        ]
        return ChangeList.Entry(
            id: try Value.ID(utf8: try Self.bytes(fields[1])),
            operation: try #require(operations[fields[0]]),
            contentHash: try Self.digest(fields[2]), replacedHash: try Self.digest(fields[3]),
            storingVersion: fields[4] == "-" ? nil : try Version.ID(String(fields[4])))
    }
}
