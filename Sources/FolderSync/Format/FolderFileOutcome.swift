/// What the bytes of a file turned out to be.
package enum FolderFileOutcome<Content> {
    /// Whole and correct.
    case verified(Content)
    /// The beginning of a file whose rest is not here yet: `have` bytes of `of`, which is nil while even that is unknown.
    case arriving(have: UInt64, of: UInt64?)
    /// A file of ours whose bytes are wrong, and why: "its hash does not match its bytes".
    case damaged(String)
    /// No file of this format.
    case foreign
    /// Whole, but from a newer version that says it cannot be read without knowing more, and what that is.
    case future(String)
}

extension FolderFileOutcome: Sendable where Content: Sendable {}
extension FolderFileOutcome: Equatable where Content: Equatable {}

extension FolderFileOutcome {
    /// The content, if it is verified.
    package var verified: Content? {
        if case .verified(let content) = self { content } else { nil }
    }

    /// The same outcome, with verified content read further.
    func reading<Read>(_ read: (Content) -> FolderFileOutcome<Read>) -> FolderFileOutcome<Read> {
        switch self {
        case .verified(let content): read(content)
        case .arriving(let have, let whole): .arriving(have: have, of: whole)
        case .damaged(let reason): .damaged(reason)
        case .foreign: .foreign
        case .future(let reason): .future(reason)
        }
    }
}
