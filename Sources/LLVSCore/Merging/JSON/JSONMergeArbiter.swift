/// Merges values that are JSON property by property, so that two people who change two properties of one value both get theirs.
///
/// For values that an app encodes with `JSONEncoder`, one entity a value. In each conflict it compares both sides with the
/// base: a property that one side changed is that side's, objects within are merged the same way, and arrays are taken
/// whole unless an ``ArrayRule`` says otherwise. A property that is absent, one that is null and one that is set are three
/// things; where the base had no such property, a set one beats null.
///
/// What both sides changed differently is the more recent side's, by when the value was stored; but a change beats a
/// removal, as in ``MostRecentChangeArbiter``. A callback can decide otherwise. Where there is no base (both sides inserted
/// the value, the common ancestors disagree about it, or it was not JSON), nothing counts as removed.
///
/// The result is written in one way on every device: no white space, names ascending by their UTF-8 bytes, only necessary
/// escapes, and every number as it was written, so that no integer is rounded. A result that says the same as a side is that
/// side, byte for byte. Numbers are equal when they are written alike.
///
/// Values that are not JSON on one side go to another arbiter, as do those that one side removed, those that are too large
/// or nested deeper than 128, and JSON that readers understand differently: names that are there twice, a byte order mark,
/// halves of surrogate pairs.
public struct JSONMergeArbiter: MergeArbiter {
    /// How an array that both sides changed is merged.
    public enum ArrayRule: Hashable, Sendable {
        /// As one thing: a conflict.
        case atom
        /// As a set of strings, numbers, Booleans and nulls: what either side took out is out, what either added is in. What
        /// was there keeps the base's order, additions follow in the order of their bytes. Other arrays are atoms.
        case set
        /// As objects that the member of this name identifies, a string or a number that no other element has: each is
        /// merged by itself. The order is that of the side that moved something (of both or neither, the more recent); what
        /// only the other side has stands behind the element it follows there. Other arrays are atoms.
        case elements(identifiedBy: String)
    }

    /// One step from the top of a document to a property.
    public enum Step: Hashable, Sendable {
        /// Into the member of an object of this name.
        case property(String)
        /// Into the element of an array that has this id, as JSON.
        case element(id: String)
    }

    /// A property, or an element of an array, that both sides changed differently.
    public struct Conflict: Hashable, Sendable {
        /// The value.
        public let id: Value.ID
        /// Where in the value; empty for all of it.
        public let path: [Step]
        /// What the base had, as JSON; nil if it was absent.
        public let base: String?
        /// What the first side has, as JSON; nil if it was removed.
        public let first: String?
        /// What the second side has, as JSON; nil if it was removed.
        public let second: String?
        /// The side whose value was stored more recently.
        public let moreRecent: Value.Fork.Side

        /// The side that is kept where nobody decides: the one that has a value, or else the more recent.
        public var usual: Value.Fork.Side {
            if first == nil { return .second }
            return second == nil ? .first : moreRecent
        }
    }

    /// What becomes of a conflict.
    public enum Resolution: Hashable, Sendable {
        /// A side's value, or its removal.
        case side(Value.Fork.Side)
        /// Other JSON.
        case json(String)
        /// Nothing: the property or element is taken out.
        case removal
    }

    private let arrays: [[String]: ArrayRule]
    private let otherArrays: ArrayRule
    private let maximumByteCount: Int
    private let fallback: any MergeArbiter
    private let resolve: @Sendable (Conflict) throws -> Resolution

    /// An arbiter for JSON.
    /// - Parameters:
    ///   - arrays: rules by the names of the properties that lead to an array from the top, such as `["address", "phones"]`.
    ///     Elements are no part of it: `["items", "tags"]` are the tags of every item.
    ///   - otherArrays: the rule of all other arrays.
    ///   - maximumByteCount: larger contents go to `fallback`. Documents of nothing but short numbers take some
    ///     hundred times this in memory, others a few times.
    ///   - fallback: for values that this does not merge.
    ///   - resolve: decides conflicts. It must be a pure function; see ``MergeArbiter``.
    public init(
        arrays: [[String]: ArrayRule] = [:], otherArrays: ArrayRule = .atom, maximumByteCount: Int = 1_048_576,
        otherwise fallback: any MergeArbiter = MostRecentChangeArbiter(),
        resolving resolve: @escaping @Sendable (Conflict) throws -> Resolution = { .side($0.usual) }
    ) {
        self.arrays = arrays
        self.otherArrays = otherArrays
        self.maximumByteCount = maximumByteCount
        self.fallback = fallback
        self.resolve = resolve
    }

    /// The merged values of every conflict. Linear in their size, for each level of nesting.
    /// - Throws: what `resolve` and `fallback` throw; ``StoreError/Code/arbiterMisbehaved`` if `resolve` gives what is not JSON.
    public func changes(toResolve merge: Merge) throws -> [Value.Change] {
        try merge.changes(mergingUpTo: maximumByteCount, otherwise: fallback) { contents in
            guard let first = JSONTreeParser.tree(contents.first), let second = JSONTreeParser.tree(contents.second)
            else { return nil }
            let base = contents.base.flatMap(JSONTreeParser.tree)
            guard let result = try merged(base, first, second, contents) else { return .remove(contents.id) }
            if result == first { return try merge.keeping(.first, of: contents.id) }
            if result == second { return try merge.keeping(.second, of: contents.id) }
            return .update(Value(id: contents.id, bytes: result.canonicalBytes))
        }
    }

    private func merged(
        _ base: JSONTree?, _ first: JSONTree, _ second: JSONTree, _ contents: Merge.Contents
    ) throws -> JSONTree? {
        let merge = JSONThreeWayMerge(
            moreRecent: contents.moreRecent, rule: { arrays[$0] ?? otherArrays },
            decide: { place, base, first, second in
                let conflict = Conflict(
                    id: contents.id, path: place.steps, base: base?.canonicalText, first: first?.canonicalText,
                    second: second?.canonicalText, moreRecent: contents.moreRecent)
                switch try resolve(conflict) {
                case .side(let side): return side == .first ? first : second
                case .removal: return nil
                case .json(let text):
                    guard let tree = JSONTreeParser.tree([UInt8](text.utf8)) else {
                        throw StoreError.misbehaved("gives what is not JSON for a part of", contents.id)
                    }
                    return tree
                }
            })
        return try merge.merged(base, first, second)
    }
}
