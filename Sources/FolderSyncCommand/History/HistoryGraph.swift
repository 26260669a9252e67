import LLVSCore

/// Draws a history as lines of text, the way git does: a column for each line of development, newest first.
///
/// Versions must come children first. A column is free again when its line ends or joins another, and what is to its right
/// moves over. Beyond ``widest`` columns the rest is one column of `:`.
struct HistoryGraph {
    /// The columns that are drawn one by one.
    static let widest = 12

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
        let node = (0..<min(columns.count, Self.widest + 1)).map { index in
            index == min(column, Self.widest) ? "*" : String(Self.line(in: index))
        }
        let before = columns.count
        // Parents that are not awaited yet take the version's place; the others are reached by a line to their column.
        let new = parents.filter { !columns.contains($0) }
        columns.replaceSubrange(column...column, with: new)
        var edges: [Edge] = []
        for index in 0..<min(before, Self.widest + 2) where index != column {
            edges.append(edge(from: index, to: index < column ? index : index + new.count - 1))
        }
        for parent in parents {
            if let to = columns.firstIndex(of: parent) { edges.append(edge(from: column, to: to)) }
        }
        return (node.joined(separator: " "), Self.draw(edges))
    }

    private func edge(from: Int, to: Int) -> Edge {
        Edge(from: min(from, Self.widest), to: min(to, Self.widest))
    }

    private static func line(in column: Int) -> Character { column < widest ? "|" : ":" }

    /// Rows in which each line moves one column, until all are where they lead. One that has far to go takes a row to leave
    /// its column and one to arrive, with a line of `_` between them.
    private static func draw(_ edges: [Edge]) -> [String] {
        var edges = edges
        var rows: [String] = []
        while edges.contains(where: { $0.from != $0.to }) {
            let width = edges.map { 2 * max($0.from, $0.to) + 1 }.max() ?? 0
            var row = [Character](repeating: " ", count: width)
            var runs: [ClosedRange<Int>] = []
            for (index, edge) in edges.enumerated() {
                let step = (edge.to - edge.from).signum()
                row[2 * edge.from + step] = step == 0 ? line(in: edge.from) : step > 0 ? "\\" : "/"
                guard abs(edge.to - edge.from) > 2 else {
                    edges[index].from += step
                    continue
                }
                let last = edge.to - step
                runs.append(step > 0 ? 2 * edge.from + 2...2 * last : 2 * last...2 * edge.from - 2)
                edges[index].from = last
            }
            for position in runs.joined() where row[position] == " " { row[position] = "_" }
            while row.last == " " { row.removeLast() }
            rows.append(String(row))
        }
        return rows
    }
}
