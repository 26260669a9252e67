/// One way to read a file's name as a conflict copy's. Names only: the disk is not asked.
public struct ConflictName: Hashable, Sendable {
    /// What the mark in the name is worth alone.
    public enum Strength: String, Hashable, Sendable, Comparable, CaseIterable {
        /// People name files like this: an original must be beside it.
        case weak
        /// A service's mark without a date or number that could be wrong.
        case medium
        /// A service's mark with a real calendar date or a device's number, or one that nobody would write.
        case strong

        /// Weaker is less.
        public static func < (a: Strength, b: Strength) -> Bool { a.rank < b.rank }

        private var rank: Int {
            switch self {
            case .weak: 0
            case .medium: 1
            case .strong: 2
            }
        }
    }

    /// The name without the tag. The service may have cut it short, and may have meant another spelling; see
    /// ``ConflictKind``.
    public var original: String
    /// The services that write such a name, the likeliest first; never empty.
    public var services: [SyncService]
    /// Why the copy was made, as far as the name says.
    public var kind: ConflictKind
    /// What the mark is worth alone.
    public var strength: Strength
    /// The date in the tag.
    public var date: ConflictDate?
    /// The user or device in the tag.
    public var who: String?
    /// The number in the tag.
    public var number: Int?
    /// Whether ``original`` may be the beginning of a name that was too long.
    public var mayBeCut: Bool

    /// All ways to read the name, the best first; none for an ordinary name.
    ///
    /// Only the outermost tag is taken off: a copy of a copy has an ``original`` that can be read in turn. There is more
    /// than one reading where the end of the original and the beginning of the tag look alike
    /// (`a_b_Jan-15-1233-2026_Conflict.txt`: client `b`, or `a_b`?); an original that exists decides between them. Names
    /// longer than 1,024 bytes have none. Takes time linear in the length.
    ///
    /// - Parameters:
    ///   - name: The last component of a path.
    ///   - deviceNames: Names of devices that would not be recognised as such.
    public static func readings(of name: String, deviceNames: Set<String> = []) -> [ConflictName] {
        var name = name
        return name.withUTF8 { bytes in
            ConflictTable.shared.readings(of: UnsafeRawBufferPointer(bytes), deviceNames: deviceNames)
        }
    }
}
