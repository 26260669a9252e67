/// Gives each value to an arbiter that its id selects, so that an app can mix them.
///
/// ```swift
/// RoutingArbiter([.prefix("Contact/", JSONMergeArbiter()), .suffix(".md", TextMergeArbiter())])
/// ```
///
/// Each arbiter sees a merge of its own values alone, and is asked only if one of them is in conflict.
public struct RoutingArbiter: MergeArbiter {
    /// Which values an arbiter is for.
    public struct Route: Sendable {
        let fits: @Sendable (Value.ID) -> Bool
        let arbiter: any MergeArbiter

        /// Values whose id satisfies `fits`, which must depend on nothing but the id.
        public static func matching(
            _ fits: @escaping @Sendable (Value.ID) -> Bool, _ arbiter: any MergeArbiter
        ) -> Route {
            Route(fits: fits, arbiter: arbiter)
        }

        /// Values whose id begins with the bytes of `prefix`.
        public static func prefix(_ prefix: String, _ arbiter: any MergeArbiter) -> Route {
            let bytes = [UInt8](prefix.utf8)
            return Route(fits: { $0.utf8.starts(with: bytes) }, arbiter: arbiter)
        }

        /// Values whose id ends with the bytes of `suffix`; `.MD` does not end with `.md`.
        public static func suffix(_ suffix: String, _ arbiter: any MergeArbiter) -> Route {
            let bytes = [UInt8](suffix.utf8)
            return Route(fits: { $0.utf8.suffix(bytes.count).elementsEqual(bytes) }, arbiter: arbiter)
        }
    }

    private let routes: [Route]
    private let fallback: any MergeArbiter

    /// An arbiter of others. Of several routes that fit an id, the first is taken.
    /// - Parameter fallback: for values that no route fits.
    public init(_ routes: [Route], otherwise fallback: any MergeArbiter = MostRecentChangeArbiter()) {
        self.routes = routes
        self.fallback = fallback
    }

    /// The changes of every arbiter for its values.
    /// - Throws: what they throw, or ``StoreError/Code/arbiterMisbehaved`` if one of them changes another's values.
    public func changes(toResolve merge: Merge) throws -> [Value.Change] {
        var shares = [Set<Value.ID>](repeating: [], count: routes.count + 1)
        for id in merge.forks.keys {
            shares[routes.firstIndex { $0.fits(id) } ?? routes.count].insert(id)
        }
        let arbiters = routes.map(\.arbiter) + [fallback]
        return try zip(arbiters, shares).flatMap { try merge.changes(by: $0, about: $1) }
    }
}
