import LLVSCore

/// A history as an SVG: a row for each version, a lane for each line of development, a curve where one leads to another.
///
/// Versions must come children first. A lane is given out again when its line has ended; a version stays in its lane, so that
/// a line of development is straight.
struct HistoryPicture {
    private enum Size {
        static let row = 22
        static let lane = 16
        static let margin = 14
        static let radius = 4
        /// About the width of a character of the labels.
        static let character = 7
    }

    /// A lane that leads down to a version, and the versions it comes from.
    private struct Lane {
        let target: Version.ID
        var children: [(row: Int, lane: Int)]
    }

    private(set) var count = 0
    private var lanes: [Lane?] = []
    private var lines: [UInt8] = []
    private var nodes: [UInt8] = []
    private var width = 0

    /// Draws a version below those before it.
    mutating func add(_ id: Version.ID, parents: [Version.ID], label: String, isMarked: Bool) {
        let lane = lanes.firstIndex { $0?.target == id } ?? freeLane()
        for child in lanes[lane]?.children ?? [] { draw(from: child, to: (count, lane), along: lane) }
        lanes[lane] = nil
        for parent in parents {
            if let other = lanes.firstIndex(where: { $0?.target == parent }) {
                lanes[other]?.children.append((count, lane))
            } else {
                let own = lanes[lane] == nil ? lane : freeLane()
                lanes[own] = Lane(target: parent, children: [(count, lane)])
            }
        }
        drawNode(id, in: lane, label: label, isMarked: isMarked)
        while let last = lanes.last, last == nil { lanes.removeLast() }
        count += 1
    }

    private mutating func freeLane() -> Int {
        if let free = lanes.firstIndex(where: { $0 == nil }) { return free }
        lanes.append(nil)
        return lanes.count - 1
    }

    /// From the child into the lane of its parent, and straight down there.
    private mutating func draw(from child: (row: Int, lane: Int), to parent: (row: Int, lane: Int), along lane: Int) {
        let (x, y) = Self.point(child.row, child.lane)
        let (endX, endY) = Self.point(parent.row, parent.lane)
        var path = "M\(x) \(y)"
        if child.lane != lane {
            let middle = y + Size.row / 2
            path += "C\(x) \(middle) \(endX) \(middle) \(endX) \(y + Size.row)"
        }
        lines += "<path class=\"c\(lane % 8)\" d=\"\(path)V\(endY)\"/>\n".utf8
    }

    private mutating func drawNode(_ id: Version.ID, in lane: Int, label: String, isMarked: Bool) {
        let (x, y) = Self.point(count, lane)
        let textX = Self.point(count, max(lanes.count, lane + 1)).x
        let radius = isMarked ? Size.radius + 2 : Size.radius
        nodes += "<g><title>\(Self.escaped(id.description))</title>".utf8
        nodes += "<circle class=\"c\(lane % 8)\(isMarked ? " m" : "")\" cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\"/>".utf8
        nodes += "<text x=\"\(textX)\" y=\"\(y + 4)\">\(Self.escaped(label))</text></g>\n".utf8
        width = max(width, textX + label.count * Size.character)
    }

    private static func point(_ row: Int, _ lane: Int) -> (x: Int, y: Int) {
        (Size.margin + lane * Size.lane, Size.margin + row * Size.row)
    }

    /// The whole file. Lines whose older end was not added lead down to the edge.
    var svg: [UInt8] {
        var all = self
        for (index, lane) in lanes.enumerated() {
            for child in lane?.children ?? [] { all.draw(from: child, to: (count, index), along: index) }
        }
        let (width, height) = (all.width + Size.margin, Size.margin * 2 + count * Size.row)
        var bytes = Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
            <style>
            svg { background: white; font: 12px monospace }
            path { fill: none; stroke-width: 2 }
            circle.m { stroke: black; stroke-width: 2 }
            \(Self.colours)
            </style>

            """.utf8)
        bytes += all.lines
        bytes += all.nodes
        bytes += "</svg>\n".utf8
        return bytes
    }

    private static let colours = [
        "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f",
    ].enumerated().map { "path.c\($0) { stroke: \($1) } circle.c\($0) { fill: \($1) }" }.joined(separator: "\n")

    /// As character data of XML 1.0. Characters that may not be in a document at all are shown as escapes or replaced.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in printable(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
