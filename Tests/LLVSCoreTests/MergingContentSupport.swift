import LLVSCore
import TestSupport

/// A conflict about the value "v", whose sides are stored one after the other.
struct ContentFork {
    let builder = StoreBuilder()
    let first: Version.ID
    let second: Version.ID

    /// The content of "v" at the base and on the two sides; nil where it is absent.
    init(
        _ base: [UInt8]?, _ first: [UInt8]?, _ second: [UInt8]?, later: Value.Fork.Side = .second,
        id: Value.ID = "v"
    ) throws {
        let builder = builder
        func save(_ bytes: [UInt8]?, _ mark: String, on base: Version.ID, at time: Int64) throws -> Version.ID {
            var changes: [Value.Change] = [.insert(Value(id: try Value.ID("mark \(mark)"), "1"))]
            if let bytes {
                changes.append(.insert(Value(id: id, bytes: bytes)))
            } else if try builder.store.bytes(of: id, at: base) != nil {
                changes.append(.remove(id))
            }
            return try builder.store.makeVersion(basedOn: base, changes: changes, now: time).id
        }
        let root = try save(base, "base", on: .root, at: StoreBuilder.now)
        // The first side is the one of the smaller id: children are made until they come in that order.
        for attempt in 0... {
            let one = try save(first, "first \(attempt)", on: root, at: StoreBuilder.now + (later == .first ? 2 : 1))
            let other = try save(
                second, "second \(attempt)", on: root, at: StoreBuilder.now + (later == .first ? 1 : 2))
            guard one < other else { continue }
            (self.first, self.second) = (one, other)
            return
        }
        preconditionFailure("Some pair of ids ascends.")
    }

    /// The same of text.
    init(
        text base: String?, _ first: String?, _ second: String?, later: Value.Fork.Side = .second, id: Value.ID = "v"
    ) throws {
        let bytes = { (text: String?) in text.map { [UInt8]($0.utf8) } }
        try self.init(bytes(base), bytes(first), bytes(second), later: later, id: id)
    }

    /// What `arbiter` makes of it, in both orders.
    func merged(_ arbiter: any MergeArbiter, id: Value.ID = "v") throws -> [UInt8]? {
        try builder.store.bytes(of: id, at: try builder.mergeBothWays(first, second, arbiter).id)
    }

    /// The same as text.
    func mergedText(_ arbiter: any MergeArbiter, id: Value.ID = "v") throws -> String? {
        try merged(arbiter, id: id).map { String(decoding: $0, as: UTF8.self) }
    }
}
