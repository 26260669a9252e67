/// A set of row numbers, as bits: about an eighth of a byte for each number where they lie close together, and never more
/// memory than its members need, however large a number is.
struct RowSet {
    private static let bits = 4_096
    private var blocks: [Int64: [UInt64]] = [:]
    private(set) var count = 0

    private static func place(_ row: Int64) -> (block: Int64, word: Int, bit: UInt64) {
        let offset = Int(row & Int64(bits - 1))
        return (row >> 12, offset / 64, 1 << UInt64(offset % 64))
    }

    func contains(_ row: Int64) -> Bool {
        let (block, word, bit) = Self.place(row)
        guard let words = blocks[block] else { return false }
        return words[word] & bit != 0
    }

    /// Whether the row was not in the set before.
    @discardableResult
    mutating func insert(_ row: Int64) -> Bool {
        let (block, word, bit) = Self.place(row)
        guard Self.set(bit, &blocks[block, default: [UInt64](repeating: 0, count: Self.bits / 64)][word]) else {
            return false
        }
        count += 1
        return true
    }

    private static func set(_ bit: UInt64, _ word: inout UInt64) -> Bool {
        defer { word |= bit }
        return word & bit == 0
    }
}
