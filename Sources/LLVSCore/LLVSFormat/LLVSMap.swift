import Foundation

/// The map of a store of LLVS's: for each version a root node that lists nodes by the start of the key, shared with earlier
/// versions, which list values.
final class LLVSMap {
    static let rootKey = "__llvs_root"

    private struct NodeReference: Decodable, Hashable {
        let key: String
        let version: String
    }

    private struct ValueReference: Decodable {
        let valueId: String
        let storedVersionId: String
    }

    private struct Node: Decodable {
        struct Child: Decodable {
            let valueReference: ValueReference
        }

        struct Children: Decodable {
            let nodes: [NodeReference]?
            let values: [Child]?
        }

        let children: Children
    }

    private let zone: any LLVSZone
    private var cache: [NodeReference: Node] = [:]

    init(zone: any LLVSZone) { self.zone = zone }

    /// The values that `new` has otherwise than `old` (nil: the empty version), and the version that stored each; nil: removed.
    func differences(from old: Version.ID?, to new: Version.ID) throws -> [Value.ID: Version.ID?] {
        let after = try root(of: new)
        let before = try old.map { try root(of: $0) }
        let shared = Set(after.children.nodes ?? []).intersection(before?.children.nodes ?? [])
        var differences: [Value.ID: Version.ID?] = [:]
        let had = try before.map { try values(below: $0, except: shared) } ?? [:]
        let has = try values(below: after, except: shared)
        for (id, version) in has where had[id] != version { differences[id] = .some(version) }
        for id in had.keys where has[id] == nil { differences[id] = .some(nil) }
        return differences
    }

    private func root(of version: Version.ID) throws -> Node {
        try node(NodeReference(key: Self.rootKey, version: version.description))
    }

    private func values(
        below node: Node, except shared: Set<NodeReference>, depth: Int = 0
    ) throws -> [Value.ID: Version.ID] {
        guard depth < 16 else { throw damaged("is too deep") }
        var found: [Value.ID: Version.ID] = [:]
        for child in node.children.values ?? [] {
            found[try Value.ID(child.valueReference.valueId)] = try Version.ID(child.valueReference.storedVersionId)
        }
        for reference in node.children.nodes ?? [] where !shared.contains(reference) {
            let below = try values(below: try self.node(reference), except: [], depth: depth + 1)
            found.merge(below) { _, new in new }
        }
        return found
    }

    private func node(_ reference: NodeReference) throws -> Node {
        if let known = cache[reference] { return known }
        guard let data = try zone.plainData(of: reference.key, at: try Version.ID(reference.version)) else {
            throw damaged("lacks the node '\(reference.key)' of the version \(reference.version)")
        }
        let node: Node
        do { node = try JSONDecoder().decode(Node.self, from: Data(data)) } catch {
            throw damaged("has a node '\(reference.key)' of the version \(reference.version) that does not decode")
        }
        // A child mostly shares its nodes with the version before.
        if cache.count >= 64 { cache.removeAll() }
        cache[reference] = node
        return node
    }

    private func damaged(_ what: String) -> StoreError {
        StoreError(.invalidVersion, "the map \(what)", remedy: "take the version from another copy")
    }
}
