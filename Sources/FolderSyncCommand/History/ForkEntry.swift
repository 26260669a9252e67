import LLVSCore

/// A fork that a merge decided, as `forks` and `log --key` print it.
struct ForkEntry: Encodable {
    struct Side: Encodable {
        /// The version that was merged.
        let version: String
        /// SHA-256 of the content it had; nil if the value was absent.
        let hash: String?
        /// The version that stored the content.
        let storedBy: String?

        init(_ version: Version.ID, _ reference: Value.Reference?) {
            self.version = version.description
            hash = reference?.contentHash.base32
            storedBy = reference?.version.description
        }
    }

    let merge: String
    let key: String
    /// "twiceInserted", "twiceUpdated" and so on.
    let fork: String
    let first: Side
    let second: Side
    /// SHA-256 of the content that the merge has; nil if it removed the value.
    let result: String?
    /// "first", "second", or "replaced" if both lost.
    let outcome: String

    init(_ fork: ResolvedFork) {
        merge = fork.merge.id.description
        key = fork.id.rawValue
        self.fork = Self.name(of: fork.fork)
        first = Side(fork.first, fork.firstReference)
        second = Side(fork.second, fork.secondReference)
        result = fork.result?.contentHash.base32
        outcome =
            switch fork.outcome {
            case .kept(.first): "first"
            case .kept(.second): "second"
            case .replaced: "replaced"
            }
    }

    private static func name(of fork: Value.Fork) -> String {
        switch fork {
        case .inserted: "inserted"
        case .twiceInserted: "twiceInserted"
        case .removed: "removed"
        case .twiceRemoved: "twiceRemoved"
        case .updated: "updated"
        case .twiceUpdated: "twiceUpdated"
        case .removedAndUpdated: "removedAndUpdated"
        }
    }
}

extension ResolvedFork {
    /// Who won and who lost, by the versions that stored their contents.
    func decision(_ names: VersionNames) throws -> String {
        func side(_ side: Value.Fork.Side) throws -> String {
            let (version, reference) = side == .first ? (first, firstReference) : (second, secondReference)
            return try reference.map { try names.short($0.version) } ?? "removed as of \(try names.short(version))"
        }
        return switch outcome {
        case .kept(let winner): "kept \(try side(winner)), lost \(try side(winner.opposite))"
        case .replaced: "replaced \(try side(.first)) and \(try side(.second))"
        }
    }
}
