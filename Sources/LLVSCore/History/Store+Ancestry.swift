/// The ways to go through all versions of a store.
public enum HistoryOrder: Hashable, Sendable {
    /// Every version before its parents.
    case newestFirst
    /// Every version after its parents.
    case oldestFirst
}

extension Store {
    /// The versions that `tips` descend from, themselves included and the root not, newest first: descending by
    /// (generation, id), which is the same on every device.
    ///
    /// Memory follows the width of the history (the lines of development side by side), not its length.
    /// A tip that the store does not have is a failure with ``StoreError/Code/noSuchVersion``.
    public func ancestry(of tips: [Version.ID]) -> HistorySequence<Version> {
        HistorySequence(self) { AncestryPages(from: tips) }
    }

    /// All firm versions in the order in which they came into this store, or the reverse. Parents always come before their
    /// children there; between versions that do not descend from each other the order is this store's own.
    ///
    /// Memory does not depend on the history.
    public func versions(_ order: HistoryOrder = .newestFirst) -> HistorySequence<Version> {
        HistorySequence(self) { LogPages(order) }
    }

    /// The best common ancestor of two versions: of the maximal ones the last by (generation, id). The root if there is no
    /// other. Costs a walk over the versions that differ.
    ///
    /// A merge uses all of them; see ``commonAncestors(_:_:)``.
    public func greatestCommonAncestor(_ first: Version.ID, _ second: Version.ID) throws -> Version {
        try commonAncestors(first, second).last ?? .root
    }
}
