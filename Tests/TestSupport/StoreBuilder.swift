public import LLVSCore

/// Builds histories in a store with few words: values are text, and time stands still unless a test moves it.
public struct StoreBuilder: Sendable {
    /// When everything happens that states no other time: the start of 2026.
    public static let now: Int64 = 1_767_225_600_000

    /// The store.
    public let store: Store

    /// A builder of a store over `storage`, new or used before.
    public init(_ storage: any Storage = MemoryStorage()) {
        store = Store(storage: storage)
    }

    /// Makes an authored version: text is inserted or updated, nil removes what is there.
    ///
    /// Beware that the same values on the same base at the same time are the same version.
    @discardableResult
    public func save(
        _ values: [Value.ID: String?], on base: Version.ID = .root, and second: Version.ID? = nil,
        branch: Branch? = nil, metadata: [String: [UInt8]] = [:], at now: Int64 = StoreBuilder.now
    ) throws -> Version.ID {
        try store.makeVersion(
            basedOn: base, and: second, changes: Self.changes(values), branch: branch, metadata: metadata, now: now
        ).id
    }

    /// The changes that give these values; nil removes.
    public static func changes(_ values: [Value.ID: String?]) -> [Value.Change] {
        values.map { id, text in text.map { .insert(Value(id: id, $0)) } ?? .remove(id) }
    }

    /// The text of a value at a version, or nil if it has none.
    public func text(_ id: Value.ID, at version: Version.ID) throws -> String? {
        try store.bytes(of: id, at: version).map { String(decoding: $0, as: UTF8.self) }
    }

    /// All values at a version.
    public func values(at version: Version.ID) throws -> [Value.ID: String] {
        var values: [Value.ID: String] = [:]
        for id in try store.valueIDs(at: version) { values[id] = try text(id, at: version) }
        return values
    }
}
