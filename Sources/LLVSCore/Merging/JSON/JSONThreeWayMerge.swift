/// Merges two JSON documents with their base, property by property.
///
/// What one side alone changed is taken; what both changed alike is taken once. Where both changed it differently, objects are
/// merged member by member and arrays as their rule says, and anything else is a conflict to decide.
struct JSONThreeWayMerge {
    /// Where in a document, from its top.
    struct Place {
        var steps: [JSONMergeArbiter.Step] = []
        /// The properties among the steps: what an array's rule goes by.
        var properties: [String] = []

        func property(_ name: [UInt8]) -> Place {
            let name = String(decoding: name, as: UTF8.self)
            return Place(steps: steps + [.property(name)], properties: properties + [name])
        }

        func element(_ id: JSONTree) -> Place {
            Place(steps: steps + [.element(id: id.canonicalText)], properties: properties)
        }
    }

    let moreRecent: Value.Fork.Side
    let rule: (_ properties: [String]) -> JSONMergeArbiter.ArrayRule
    /// Decides a conflict; nil: there is to be nothing.
    let decide: (Place, _ base: JSONTree?, _ first: JSONTree?, _ second: JSONTree?) throws -> JSONTree?

    /// The result, nil where there is to be nothing. Nil for a side: it has no such property or element.
    func merged(
        _ base: JSONTree?, _ first: JSONTree?, _ second: JSONTree?, at place: Place = Place()
    ) throws -> JSONTree? {
        if first == second || second == base { return first }
        if first == base { return second }
        switch (first, second) {
        case (.object(let one), .object(let other)):
            var old: [[UInt8]: JSONTree] = [:]
            if case .object(let members) = base { old = members }
            return .object(try members(old, one, other, at: place))
        case (.array(let one), .array(let other)):
            var old: [JSONTree] = []
            if case .array(let elements) = base { old = elements }
            if let elements = try elements(old, one, other, at: place) { return .array(elements) }
        case (.null, .some(let value)) where base == nil, (.some(let value), .null) where base == nil:
            // An encoder that writes null for "not set" says no more than one that writes nothing.
            return value
        default: break
        }
        return try decide(place, base, first, second)
    }

    private func members(
        _ base: [[UInt8]: JSONTree], _ first: [[UInt8]: JSONTree], _ second: [[UInt8]: JSONTree], at place: Place
    ) throws -> [[UInt8]: JSONTree] {
        var result: [[UInt8]: JSONTree] = [:]
        // In the order of names, so that a callback is asked in the same order everywhere.
        for name in Set(first.keys).union(second.keys).sorted(by: { $0.precedes($1) }) {
            result[name] = try merged(base[name], first[name], second[name], at: place.property(name))
        }
        return result
    }

    /// Nil if the elements are not what the rule is for.
    private func elements(
        _ base: [JSONTree], _ first: [JSONTree], _ second: [JSONTree], at place: Place
    ) throws -> [JSONTree]? {
        switch rule(place.properties) {
        case .atom: return nil
        case .set: return Self.set(base, first, second)
        case .elements(let key):
            let key = [UInt8](key.utf8)
            guard let first = JSONElements(first, key), let second = JSONElements(second, key) else { return nil }
            // A base of another kind is none: nothing counts as removed.
            let base = JSONElements(base, key) ?? .none
            var merged: [JSONTree: JSONTree] = [:]
            for id in first.ids + second.ids.filter({ first[$0] == nil }) {
                merged[id] = try self.merged(base[id], first[id], second[id], at: place.element(id))
            }
            return JSONElements.order(base, first, second, moreRecent).compactMap { merged[$0] }
        }
    }

    /// What the base had and neither side took out, in the base's order, then what the sides added, by canonical bytes.
    private static func set(_ base: [JSONTree], _ first: [JSONTree], _ second: [JSONTree]) -> [JSONTree]? {
        guard first.allSatisfy(\.isScalar), second.allSatisfy(\.isScalar) else { return nil }
        let (one, other) = (Set(first), Set(second))
        var seen: Set<JSONTree> = []
        let kept = base.filter { one.contains($0) && other.contains($0) && seen.insert($0).inserted }
        let added = one.union(other).subtracting(base)
        return kept + added.sorted { $0.canonicalBytes.precedes($1.canonicalBytes) }
    }
}
