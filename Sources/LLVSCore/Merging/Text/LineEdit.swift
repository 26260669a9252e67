/// Lines of an old text that new ones take the place of; either may be none. Two edits of a text have a line between them.
struct LineEdit {
    let old: Range<Int>
    let new: Range<Int>

    /// What turns the old text into the new one, in order. `newIndex`: see ``LineMatching``.
    static func edits(_ newIndex: [Int32], to newCount: Int) -> [LineEdit] {
        var edits: [LineEdit] = []
        var (old, new) = (0, 0)
        for line in 0...newIndex.count {
            let next = line == newIndex.count ? newCount : Int(newIndex[line])
            if next < 0 { continue }
            if line > old || next > new { edits.append(LineEdit(old: old..<line, new: new..<next)) }
            (old, new) = (line + 1, next + 1)
        }
        return edits
    }

    /// What is inserted before a line comes before what is done to it.
    static func comesFirst(_ left: LineEdit, _ right: LineEdit) -> Bool {
        (left.old.lowerBound, left.old.upperBound) < (right.old.lowerBound, right.old.upperBound)
    }

    /// Goes through one side's edits, in step with the other's.
    struct Cursor {
        private let edits: [LineEdit]
        private var index = 0
        /// How far new lines are from the old ones behind the last edit that was taken.
        private var shift = 0
        /// The same before the region that is looked at.
        private var shiftBefore = 0

        init(_ edits: [LineEdit]) { self.edits = edits }

        var next: LineEdit? { index < edits.count ? edits[index] : nil }

        /// Takes the next edit if it overlaps `region`, or is the same insertion, and widens the region by it.
        mutating func take(into region: inout Range<Int>) -> Bool {
            guard let old = next?.old,
                old == region || old.lowerBound < region.upperBound && region.lowerBound < old.upperBound
            else { return false }
            region = min(region.lowerBound, old.lowerBound)..<max(region.upperBound, old.upperBound)
            shift = edits[index].new.upperBound - old.upperBound
            index += 1
            return true
        }

        /// The side's lines in the place of a region whose edits have been taken; called once for each region.
        mutating func lines(of region: Range<Int>) -> Range<Int> {
            defer { shiftBefore = shift }
            return region.lowerBound + shiftBefore..<region.upperBound + shift
        }
    }
}
