/// An array whose elements are objects that a member identifies.
struct JSONElements {
    /// In the array's order.
    let ids: [JSONTree]
    private let elements: [JSONTree: JSONTree]

    /// No elements.
    static var none: JSONElements { JSONElements(ids: [], elements: [:]) }

    private init(ids: [JSONTree], elements: [JSONTree: JSONTree]) {
        self.ids = ids
        self.elements = elements
    }

    /// Nil unless every element is an object whose member `key` is a string or number that no other has.
    init?(_ array: [JSONTree], _ key: [UInt8]) {
        var ids: [JSONTree] = []
        var elements: [JSONTree: JSONTree] = [:]
        for element in array {
            guard case .object(let members) = element, let id = members[key] else { return nil }
            switch id {
            case .string, .number: break
            default: return nil
            }
            guard elements.updateValue(element, forKey: id) == nil else { return nil }
            ids.append(id)
        }
        self.init(ids: ids, elements: elements)
    }

    subscript(id: JSONTree) -> JSONTree? { elements[id] }

    /// All ids of both sides, in the order of the side that moved what the base had (of both or neither, the more recent).
    /// What only the other side has stands behind the element it follows there.
    static func order(
        _ base: JSONElements, _ first: JSONElements, _ second: JSONElements, _ moreRecent: Value.Fork.Side
    ) -> [JSONTree] {
        let isShared = { (id: JSONTree) in base[id] != nil && first[id] != nil && second[id] != nil }
        let old = base.ids.filter(isShared)
        let firstMoved = first.ids.filter(isShared) != old
        let secondMoved = second.ids.filter(isShared) != old
        let leading: Value.Fork.Side = firstMoved == secondMoved ? moreRecent : (firstMoved ? .first : .second)
        let (leader, follower) = leading == .first ? (first, second) : (second, first)
        var behind: [JSONTree?: [JSONTree]] = [:]
        var anchor: JSONTree?
        for id in follower.ids {
            if leader[id] == nil {
                behind[anchor, default: []].append(id)
            } else {
                anchor = id
            }
        }
        return leader.ids.reduce(into: behind[nil] ?? []) { $0 += [$1] + (behind[$1] ?? []) }
    }
}
