/// A moment of a coordinator's current version, to ask later what changed since. Survives launches by being coded.
public struct ChangeCursor: Hashable, Sendable {
    /// The name of the coordinator.
    let name: String
    let version: Version.ID
    /// Merges that are not firm may be cleaned away.
    let isFirm: Bool
}

extension ChangeCursor: Codable {
    private enum Key: String, CodingKey {
        case name, version, isFirm
    }

    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        name = try container.decode(String.self, forKey: .name)
        let text = try container.decode(String.self, forKey: .version)
        do { version = try Version.ID(text) } catch {
            throw DecodingError.dataCorruptedError(forKey: .version, in: container, debugDescription: error.what)
        }
        isFirm = try container.decode(Bool.self, forKey: .isFirm)
    }

    /// The coordinator's name, the version's id as text, and whether it was firm.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(version.description, forKey: .version)
        try container.encode(isFirm, forKey: .isFirm)
    }
}

/// What changed since a cursor, and the cursor to ask with next time.
public enum ChangesSince: Hashable, Sendable {
    /// These values, ascending by id: inserted, updated or removed.
    case named([Value.ID], next: ChangeCursor)
    /// More than was asked for, or what can no longer be told: read everything.
    case everything(next: ChangeCursor)

    /// The cursor to ask with next time, once what is told here was read.
    public var next: ChangeCursor {
        switch self {
        case .named(_, let next), .everything(let next): next
        }
    }
}

extension StoreCoordinator {
    /// The values that the current version has differently than when `cursor` was given. Costs what differs, at most `most`.
    ///
    /// Read them, keep `next`, and ask with it again, in this launch or another.
    /// - Parameters:
    ///   - cursor: nil: everything.
    ///   - most: more than so many are told as everything.
    /// - Throws: ``StoreError`` with `.foreignCursor` if the cursor is of another store, or of a coordinator with another name.
    public func changes(since cursor: ChangeCursor?, most: Int = 1_000) throws -> ChangesSince {
        try store.read { snapshot in
            let current = try snapshot.current(name)
            let isFirm = try current.row == 0 || snapshot.entry(current.id)?.state == .firm
            let next = ChangeCursor(name: name, version: current.id, isFirm: isFirm)
            guard let cursor else { return .everything(next: next) }
            guard cursor.name == name else { throw StoreError.foreignCursor("a coordinator named '\(cursor.name)'") }
            guard let old = try snapshot.find(cursor.version) else {
                if cursor.isFirm { throw StoreError.foreignCursor("another store") }
                return .everything(next: next)
            }
            let changed = try snapshot.changedIDs(from: old, to: current, most: most)
            return changed.map { .named($0, next: next) } ?? .everything(next: next)
        }
    }
}

extension StoreError {
    fileprivate static func foreignCursor(_ owner: String) -> StoreError {
        StoreError(
            .foreignCursor, "the cursor is one of \(owner)", remedy: "begin without a cursor and read everything")
    }
}
