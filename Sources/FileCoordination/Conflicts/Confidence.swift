/// How good the evidence is that a file is a conflict copy.
public enum Confidence: String, Hashable, Sendable, Comparable, CaseIterable {
    /// People name files like this too; there is an original beside it that it could be a copy of.
    case possible
    /// A service's mark, and an original or a second copy beside it; or something as good.
    case probable
    /// A service's mark with a real date or a device's number, complete and in its place. Nobody names a file like this.
    case certain

    /// Weaker is less.
    public static func < (a: Confidence, b: Confidence) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .possible: 0
        case .probable: 1
        case .certain: 2
        }
    }
}
