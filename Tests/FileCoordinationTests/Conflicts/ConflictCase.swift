import Testing

/// One name, and what is to be made of it.
struct ConflictCase: Sendable, CustomTestStringConvertible {
    enum Tag: Hashable, Sendable {
        /// Enough alone.
        case strong
        /// Wants an original or a second copy.
        case medium
        /// A copy only beside its original.
        case needsOriginal
        /// Ordinary, and nothing lies beside it.
        case noOriginal
        /// Ordinary, though this lies beside it.
        case originalPresent(String)
        case folder
        case nested(parent: String)
        /// The service renames both sides.
        case originalGone
    }

    let service: String
    let name: String
    let original: String?
    let tags: Set<Tag>

    init(_ service: String, _ name: String, of original: String? = nil, _ tags: Tag...) {
        self.service = service
        self.name = name
        self.original = original
        self.tags = Set(tags)
    }

    var testDescription: String { "\(service): \(name.prefix(80))" }

    /// What it is a copy of at once.
    var parent: String? {
        for case .nested(let parent) in tags { return parent }
        return original
    }
}
