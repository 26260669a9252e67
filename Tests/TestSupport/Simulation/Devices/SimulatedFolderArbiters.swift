public import LLVSCore

/// An arbiter that always takes the same side, or removes what one side removed: what an app with other rules would do.
public enum SimulatedFolderArbiter: MergeArbiter {
    /// The first side.
    case first
    /// The second side.
    case second
    /// The removal if there is one, else the first side.
    case removal
    /// New content that is made of both sides.
    case mixture

    /// The changes that resolve `merge`.
    public func changes(toResolve merge: Merge) throws -> [Value.Change] {
        try merge.conflicts.map { id in
            switch self {
            case .first: return try merge.keeping(.first, of: id)
            case .second: return try merge.keeping(.second, of: id)
            case .removal:
                let isSecondGone = try merge.reference(id, on: .second) == nil
                return try merge.keeping(isSecondGone ? .second : .first, of: id)
            case .mixture:
                let sides = [
                    try merge.content(id, on: .first)?.allBytes() ?? [],
                    try merge.content(id, on: .second)?.allBytes() ?? [],
                ]
                // A mixture of mixtures would grow without end.
                let mixed = sides.map { Array($0.prefix(8)) }.joined(separator: [0x2b])
                return .insert(Value(id: id, bytes: Array(mixed)))
            }
        }
    }
}
