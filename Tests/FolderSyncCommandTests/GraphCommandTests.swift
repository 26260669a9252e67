import Foundation
import FoundationXML
import LLVSCore
import TestSupport
import Testing

@testable import FolderSyncCommand

/// The version graph as a picture and as text.
@Suite("Graphs of histories")
struct GraphCommandTests {
    private let foldersync: CommandRunner

    init() throws {
        foldersync = try CommandRunner()
    }

    /// What a reader of XML finds in a picture.
    private final class Picture: NSObject, XMLParserDelegate {
        var elements: [String: Int] = [:]
        var texts: [String] = []
        var attributes: [String] = []
        private var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements[name, default: 0] += 1
            self.attributes += attributes.values
            text = ""
        }

        func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            if name == "text" { texts.append(text) }
        }
    }

    private func parse(_ svg: [UInt8]) throws -> Picture {
        let picture = Picture()
        let parser = XMLParser(data: Data(svg))
        parser.delegate = picture
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        return picture
    }

    /// Versions, newest first, each with one or two parents among the next `width`.
    private func history(_ count: Int, width: Int, seed: UInt64) throws -> [(Version.ID, [Version.ID])] {
        var random = SeededRandom(seed: seed)
        return try (0..<count).map { number in
            let parents = Set((0..<2).map { _ in number + 1 + Int.random(in: 0..<width, using: &random) }).sorted()
            return (try Version.ID("v\(number)"), try parents.filter { $0 < count }.map { try Version.ID("v\($0)") })
        }
    }

    @Test("the picture is valid, shows every version once and escapes what labels say")
    func picture() async throws {
        try await foldersync("init", "S")
        try await foldersync("set", "S", "k", "1")
        let odd = "a<b>&\"\u{1b}\u{202e}'"
        try await foldersync("branch", "S", odd)
        try await foldersync("set", "S", "k", "2")
        let drawn = try await foldersync("graph", "S", "--svg", "out.svg", "--json").object()
        #expect(drawn["versions"] as? Int == 3 && drawn["isCut"] as? Bool == false)
        let path = foldersync.folder.path + "/out.svg"
        let picture = try parse(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(picture.elements["circle"] == 3 && picture.elements["path"] == 2 && picture.elements["svg"] == 1)
        #expect(picture.texts.contains { $0.contains("branch a<b>&\"\\u{1b}\\u{202e}'") })
        #expect(try await foldersync("graph", "S", "--svg", "out.svg", "--limit", "1").output.contains("left out"))
        let cut = try parse(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(cut.elements["circle"] == 1)
    }

    @Test("a place that cannot be written leaves the old picture, and the store is no place")
    func places() async throws {
        try await foldersync("init", "S")
        try await foldersync("set", "S", "k", "1")
        foldersync.expectError(try await foldersync("graph", "S", "--svg", "S/x.svg"), "lies in the store")
        foldersync.expectError(try await foldersync("graph", "S", "--svg", "none/x.svg"), "x.svg")
        #expect(try await foldersync("graph", "S").code == 2)
        #expect(try await foldersync("graph", "S", "--svg", "empty.svg", "--limit", "0").code == 0)
    }

    @Test("ten thousand versions are drawn, in few lanes")
    func large() throws {
        var picture = HistoryPicture()
        for (id, parents) in try history(10_000, width: 5, seed: 7) {
            picture.add(id, parents: parents, label: "\(id)", isMarked: false)
        }
        let found = try parse(picture.svg)
        #expect(found.elements["circle"] == 10_000 && found.elements["text"] == 10_000)
        #expect(picture.svg.count < 5_000_000)
        #expect(found.attributes.allSatisfy { !$0.contains("-") })
    }

    @Test("text graphs of a thousand versions stay narrow and short, and mark each version once", arguments: [4, 40])
    func text(width: Int) throws {
        var graph = HistoryGraph()
        var lines = 0
        for (id, parents) in try history(1_000, width: width, seed: 8) {
            let rows = graph.rows(for: id, parents: parents)
            #expect(rows.node.filter { $0 == "*" }.count == 1)
            for row in [rows.node] + rows.edges { #expect(row.count <= 2 * HistoryGraph.widest + 1, "\(row)") }
            #expect(rows.edges.count <= 4, "\(rows.edges)")
            lines += 1 + rows.edges.count
        }
        #expect(lines < 4_000)
    }

    @Test("a line with far to go takes two rows")
    func longEdge() throws {
        var graph = HistoryGraph()
        var lines: [String] = []
        let versions = [("e", "a"), ("f", "b"), ("g", "c"), ("h", "d"), ("d", "a"), ("c", "b"), ("a", ""), ("b", "")]
        for (name, parent) in versions {
            let parents = parent.isEmpty ? [] : [try Version.ID(parent)]
            let rows = graph.rows(for: try Version.ID(name), parents: parents)
            lines += ["\(rows.node) \(name)"] + rows.edges
        }
        #expect(
            lines.joined(separator: "\n") == """
                * e
                | * f
                | | * g
                | | | * h
                | | | * d
                | |_|/
                |/| |
                | | * c
                | |/
                * | a
                 /
                * b
                """)
    }
}
