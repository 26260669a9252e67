/// The base of a three-way merge: the common ancestors of its sides, merged with each other where there are several.
///
/// With one common ancestor it is that version. A criss-cross history has several; they are folded in canonical order, value
/// by value, as git's recursive strategy does: the side that changed a value since their own common ancestors wins, and where
/// both changed it differently the value has *no* base, so that the outer merge asks its arbiter. Where their own common
/// ancestors are several and disagree, the value has no base either: asking once too often is safe, guessing is not.
///
/// Part of encoding 1: a change here is a new encoding number.
struct VirtualBase {
    /// What a value was at the base.
    enum Content: Equatable {
        case absent
        case stored(Digest)
        /// The common ancestors disagree.
        case unresolved
    }

    private struct Step {
        let ancestor: StoredVersion
        /// The maximal common ancestors of this one and all before it.
        let shared: [StoredVersion]
    }

    private let snapshot: StoreSnapshot
    private let first: StoredVersion
    private let steps: [Step]
    /// The common ancestors in canonical order.
    let ancestors: [StoredVersion]

    init(_ ancestors: [StoredVersion], in snapshot: StoreSnapshot) throws {
        self.snapshot = snapshot
        self.ancestors = ancestors
        first = ancestors.first ?? .root
        var steps: [Step] = []
        for index in ancestors.indices.dropFirst() {
            let walk = try AncestryWalk(Array(ancestors[..<index]), [ancestors[index]], in: snapshot)
            steps.append(Step(ancestor: ancestors[index], shared: walk.common))
        }
        self.steps = steps
    }

    func content(_ id: Value.ID) throws -> Content {
        var result = try plain(id, first)
        for step in steps {
            let other = try plain(id, step.ancestor)
            if result == other || result == .unresolved { continue }
            let bases = try step.shared.map { try plain(id, $0) }
            guard let base = bases.first, bases.allSatisfy({ $0 == base }) else {
                result = .unresolved
                continue
            }
            if result == base {
                result = other
            } else if other != base {
                result = .unresolved
            }
        }
        return result
    }

    /// A reference with that content, for reading the base's bytes.
    func reference(_ id: Value.ID, _ content: Content) throws -> MapReference? {
        guard case .stored(let hash) = content else { return nil }
        for ancestor in ancestors {
            if let reference = try snapshot.reference(id, ancestor), reference.contentHash == hash { return reference }
        }
        return nil
    }

    private func plain(_ id: Value.ID, _ version: StoredVersion) throws -> Content {
        try snapshot.reference(id, version).map { .stored($0.contentHash) } ?? .absent
    }
}
