import LLVSCore

/// Draws a history as lines of text, the way git does: a column for each line of development, newest first.
///
/// Versions must come children first.
struct HistoryGraph {
    /// The version that each column leads down to. No version twice.
    private var columns: [Version.ID] = []

    /// A line from a column of one row to a column of the next.
    private struct Edge: Hashable {
        var from: Int
        let to: Int
    }

    /// The row with the version's `*`, and the rows that lead from it to the next version.
    mutating func rows(for id: Version.ID, parents: [Version.ID]) -> (node: String, edges: [String]) {
        let column = columns.firstIndex(of: id) ?? columns.count
        if column == columns.count { columns.append(id) }
        let node = columns.indices.map { $0 == column ? "*" : "|" }.joined(separator: " ")
        var next = columns
        next.remove(at: column)
        // Parents that are not awaited yet take the version's place; the others are reached by a line to their column.
        next.insert(contentsOf: parents.filter { !columns.contains($0) }, at: column)
        var edges: [Edge] = []
        for (index, awaited) in columns.enumerated() {
            let targets = index == column ? parents : [awaited]
            for target in targets {
                if let to = next.firstIndex(of: target) { edges.append(Edge(from: index, to: to)) }
            }
        }
        columns = next
        return (node, Self.draw(edges))
    }

    /// Rows in which each line moves one column at most, until all are where they lead.
    private static func draw(_ edges: [Edge]) -> [String] {
        var edges = edges
        var rows: [String] = []
        while edges.contains(where: { $0.from != $0.to }) {
            let width = edges.map { 2 * max($0.from, $0.to) + 1 }.max() ?? 0
            var row = [Character](repeating: " ", count: width)
            for (index, edge) in edges.enumerated() {
                let step = (edge.to - edge.from).signum()
                let mark: Character = step == 0 ? "|" : step > 0 ? "\\" : "/"
                row[2 * edge.from + step] = mark
                edges[index].from += step
            }
            while row.last == " " { row.removeLast() }
            rows.append(String(row))
        }
        return rows
    }
}
