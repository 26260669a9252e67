import LLVSCore
import Testing

@testable import FolderSyncCommand

@Suite("History graph")
struct HistoryGraphTests {
    /// Draws versions, children first: a name and the names of its parents.
    private func draw(_ versions: [(String, [String])]) throws -> String {
        var graph = HistoryGraph()
        var lines: [String] = []
        for (name, parents) in versions {
            let rows = graph.rows(for: try Version.ID(name), parents: try parents.map { try Version.ID($0) })
            lines += ["\(rows.node) \(name)"] + rows.edges
        }
        return lines.joined(separator: "\n")
    }

    @Test("A line of versions is one column")
    func line() throws {
        #expect(
            try draw([("c", ["b"]), ("b", ["a"]), ("a", [])]) == """
                * c
                * b
                * a
                """)
    }

    @Test("A merge opens a column and the common ancestor closes it")
    func merge() throws {
        #expect(
            try draw([("m", ["b", "c"]), ("c", ["a"]), ("b", ["a"]), ("a", [])]) == """
                * m
                |\\
                | * c
                * | b
                |/
                * a
                """)
    }

    @Test("Two heads are two columns")
    func heads() throws {
        #expect(
            try draw([("c", ["a"]), ("b", ["a"]), ("a", [])]) == """
                * c
                | * b
                |/
                * a
                """)
    }

    @Test("Histories without a common version stay apart")
    func apart() throws {
        #expect(
            try draw([("b", ["a"]), ("y", ["x"]), ("a", []), ("x", [])]) == """
                * b
                | * y
                * | a
                 /
                * x
                """)
    }

    @Test("A criss-cross shows both merges")
    func crissCross() throws {
        #expect(
            try draw([("p", ["b", "c"]), ("q", ["b", "c"]), ("c", ["a"]), ("b", ["a"]), ("a", [])]) == """
                * p
                |\\
                | | * q
                | |/
                |/|
                | * c
                * | b
                |/
                * a
                """)
    }
}
