import Foundation

/// A change as LLVS writes it to a folder: an object with the operation as its only key.
enum LLVSChange: Hashable, Sendable {
    /// `insert` and `update`: the value has these bytes.
    case set(Value.ID, [UInt8], isNew: Bool)
    /// The value goes.
    case remove(Value.ID)
    /// The value is as that version stored it.
    case preserve(Value.ID, storedBy: Version.ID)
    /// The value stays removed.
    case preserveRemoval(Value.ID)

    /// The value concerned.
    var id: Value.ID {
        switch self {
        case .set(let id, _, _), .remove(let id), .preserve(let id, _), .preserveRemoval(let id): id
        }
    }
}

/// A change beside the version it is part of, which LLVS notes with every value.
struct LLVSChangeEntry: Hashable, Sendable {
    let change: LLVSChange
    /// For `insert` and `update`, the version that stores the value, if the file says so: the one the file belongs to.
    let version: Version.ID?
}

extension LLVSChangeEntry: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case insert, update, remove, preserve, preserveRemoval
    }

    private struct StoredValue: Codable {
        let id: String
        let data: Data
        let storedVersionId: String?
    }

    private struct Reference: Codable {
        let valueId: String
        let storedVersionId: String
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "it is no change of one value"))
        }
        switch container.allKeys[0] {
        case .insert: try self.init(try container.decode(StoredValue.self, forKey: .insert), isNew: true)
        case .update: try self.init(try container.decode(StoredValue.self, forKey: .update), isNew: false)
        case .remove:
            self.init(change: .remove(try Value.ID(container.decode(String.self, forKey: .remove))), version: nil)
        case .preserve:
            let reference = try container.decode(Reference.self, forKey: .preserve)
            let change = LLVSChange.preserve(
                try Value.ID(reference.valueId), storedBy: try Version.ID(reference.storedVersionId))
            self.init(change: change, version: nil)
        case .preserveRemoval:
            let id = try Value.ID(container.decode(String.self, forKey: .preserveRemoval))
            self.init(change: .preserveRemoval(id), version: nil)
        }
    }

    private init(_ value: StoredValue, isNew: Bool) throws {
        change = .set(try Value.ID(value.id), [UInt8](value.data), isNew: isNew)
        version = try value.storedVersionId.map { try Version.ID($0) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch change {
        case .set(let id, let bytes, let isNew):
            let value = StoredValue(id: id.rawValue, data: Data(bytes), storedVersionId: version?.description)
            try container.encode(value, forKey: isNew ? .insert : .update)
        case .remove(let id): try container.encode(id.rawValue, forKey: .remove)
        case .preserve(let id, let version):
            let reference = Reference(valueId: id.rawValue, storedVersionId: version.description)
            try container.encode(reference, forKey: .preserve)
        case .preserveRemoval(let id): try container.encode(id.rawValue, forKey: .preserveRemoval)
        }
    }
}
