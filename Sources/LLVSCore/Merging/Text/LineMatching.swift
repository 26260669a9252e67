/// Which lines of an old text are still there in a new one, in order.
///
/// A patience diff: lines that are there once in both texts are matched first, as far as they come in the same order, and what
/// lies between them is compared the same way. Where no such line is left, the shortest edit is found as in Myers' "An O(ND)
/// Difference Algorithm" (1986).
///
/// Time and memory are bounded by counted steps, the same on every device: what differs by more than ``mostEdits``, or is left
/// when the steps are used up, counts as replaced as a whole.
struct LineMatching {
    /// The most insertions and deletions that Myers' algorithm looks for in one stretch: it remembers the square of that.
    static let mostEdits = 1_024

    /// For each old line the new one it is, or -1. Ascending where it is not -1.
    private(set) var newIndex: [Int32]

    private let old: [Int32]
    private let new: [Int32]
    private var stepsLeft: Int

    private struct Stretch {
        var old: Range<Int>
        var new: Range<Int>
    }

    /// - Parameter old, new: a number for each line, equal for equal lines.
    init(old: [Int32], new: [Int32], steps: Int = 32_000_000) {
        self.old = old
        self.new = new
        newIndex = Array(repeating: -1, count: old.count)
        stepsLeft = steps
        var pending = [Stretch(old: 0..<old.count, new: 0..<new.count)]
        while let stretch = pending.popLast() { compare(stretch, &pending) }
    }

    private mutating func match(_ oldLine: Int, _ newLine: Int) { newIndex[oldLine] = Int32(newLine) }

    private mutating func compare(_ whole: Stretch, _ pending: inout [Stretch]) {
        var (a, b) = (whole.old, whole.new)
        while let i = a.first, let j = b.first, old[i] == new[j] {
            match(i, j)
            (a, b) = (i + 1..<a.upperBound, j + 1..<b.upperBound)
        }
        while let i = a.last, let j = b.last, old[i] == new[j] {
            match(i, j)
            (a, b) = (a.lowerBound..<i, b.lowerBound..<j)
        }
        stepsLeft -= a.count + b.count
        if a.isEmpty || b.isEmpty || stepsLeft < 0 { return }
        let rest = Stretch(old: a, new: b)
        let anchors = uniqueLines(rest)
        if anchors.isEmpty { return shortestEdit(rest) }
        var start = (old: a.lowerBound, new: b.lowerBound)
        for anchor in anchors {
            match(anchor.old, anchor.new)
            pending.append(Stretch(old: start.old..<anchor.old, new: start.new..<anchor.new))
            start = (anchor.old + 1, anchor.new + 1)
        }
        pending.append(Stretch(old: start.old..<a.upperBound, new: start.new..<b.upperBound))
    }

    /// The longest ascending run of the lines that are there once in both, found by patience sorting.
    private func uniqueLines(_ stretch: Stretch) -> [(old: Int, new: Int)] {
        var places: [Int32: (inOld: Int, inNew: Int, old: Int, new: Int)] = [:]
        for index in stretch.old { places[old[index], default: (0, 0, 0, 0)].inOld += 1 }
        for index in stretch.new {
            places[new[index]]?.inNew += 1
            places[new[index]]?.new = index
        }
        let unique = stretch.old.compactMap { index -> (old: Int, new: Int)? in
            guard let place = places[old[index]], place.inOld == 1, place.inNew == 1 else { return nil }
            return (index, place.new)
        }
        // The pile tops ascend; each line remembers the top of the pile before its own.
        var tops: [Int] = []
        var before: [Int] = []
        for (index, line) in unique.enumerated() {
            var (low, high) = (0, tops.count)
            while low < high {
                let middle = (low + high) / 2
                if unique[tops[middle]].new < line.new { low = middle + 1 } else { high = middle }
            }
            before.append(low == 0 ? -1 : tops[low - 1])
            if low == tops.count { tops.append(index) } else { tops[low] = index }
        }
        var run: [(old: Int, new: Int)] = []
        var index = tops.last ?? -1
        while index >= 0 {
            run.append(unique[index])
            index = before[index]
        }
        return run.reversed()
    }
}

extension LineMatching {
    /// Myers' greedy algorithm: the furthest point on each diagonal k = x - y that d edits reach.
    private mutating func shortestEdit(_ stretch: Stretch) {
        let (a, b) = (stretch.old, stretch.new)
        let most = min(a.count + b.count, Self.mostEdits)
        var furthest = [Int32](repeating: 0, count: 2 * most + 3)
        let zero = most + 1
        var trace: [ArraySlice<Int32>] = []
        for d in 0...most {
            trace.append(ArraySlice(Array(furthest[(zero - d - 1)...(zero + d + 1)])))
            stepsLeft -= 2 * d + 1
            if stepsLeft < 0 { return }
            for k in stride(from: -d, through: d, by: 2) {
                let goesDown = k == -d || (k != d && furthest[zero + k - 1] < furthest[zero + k + 1])
                var x = Int(goesDown ? furthest[zero + k + 1] : furthest[zero + k - 1] + 1)
                while x < a.count, x - k < b.count, old[a.lowerBound + x] == new[b.lowerBound + x - k] {
                    x += 1
                    stepsLeft -= 1
                }
                furthest[zero + k] = Int32(x)
                if x >= a.count, x - k >= b.count { return walkBack(trace, stretch) }
            }
        }
    }

    /// Matches the lines on the path that `trace` (what each number of edits began with) leads to.
    private mutating func walkBack(_ trace: [ArraySlice<Int32>], _ stretch: Stretch) {
        var (x, y) = (stretch.old.count, stretch.new.count)
        for (d, furthest) in trace.enumerated().reversed() {
            let (zero, k) = (d + 1, x - y)
            let goesDown = k == -d || (k != d && furthest[zero + k - 1] < furthest[zero + k + 1])
            let previousK = goesDown ? k + 1 : k - 1
            let previousX = Int(furthest[zero + previousK])
            let previousY = previousX - previousK
            while x > max(previousX, 0), y > max(previousY, 0) {
                (x, y) = (x - 1, y - 1)
                match(stretch.old.lowerBound + x, stretch.new.lowerBound + y)
            }
            if d > 0 { (x, y) = (previousX, previousY) }
        }
    }
}
