import Foundation

extension [UInt8] {
    /// Whether the bytes are the same, as `==` says. That compares one by one where nothing is optimized, which takes a tenth
    /// of a second for a megabyte.
    public func isSame(as other: [UInt8]?) -> Bool {
        guard let other, count == other.count else { return false }
        return withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in
                guard let start = mine.baseAddress, let otherStart = theirs.baseAddress else { return true }
                return memcmp(start, otherStart, mine.count) == 0
            }
        }
    }
}
