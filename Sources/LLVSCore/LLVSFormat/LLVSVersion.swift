import Foundation

/// A version as LLVS writes it to a folder and into its stores.
struct LLVSVersion: Hashable, Sendable {
    let id: Version.ID
    /// The version its changes are against; nil: it has no predecessor.
    let first: Version.ID?
    /// The version it merges with the first.
    let second: Version.ID?
    /// Seconds since 2001-01-01.
    let timestamp: Double
    let metadata: LLVSMetadata

    var parents: [Version.ID] { [first, second].compactMap(\.self) }

    /// The wall clock of whoever made it, in milliseconds since 1970.
    var time: Int64 {
        let milliseconds = (timestamp * 1_000).rounded() + Self.referenceMilliseconds
        return Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : 0)
    }

    private static let referenceMilliseconds = 978_307_200_000.0

    init(id: Version.ID, first: Version.ID?, second: Version.ID?, timestamp: Double, metadata: LLVSMetadata) {
        self.id = id
        self.first = first
        self.second = second
        self.timestamp = timestamp
        self.metadata = metadata
    }

    /// What LLVS is to see of a version in our store.
    init(of version: Version, header: [UInt8]) throws {
        let others = version.parents.filter { $0 != version.basis }
        id = version.id
        first = version.parents.isEmpty ? nil : version.basis
        second = others.first
        if let bytes = version.metadata[LLVSMetadata.timestampKey], bytes.count == 8, !version.id.isNative {
            timestamp = Double(bitPattern: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        } else {
            timestamp = (Double(version.time) - Self.referenceMilliseconds) / 1_000
        }
        metadata = try LLVSMetadata(of: version, header: header)
    }

    /// Whether the two say the same: of native versions the bytes decide, which others may surround with what they like.
    func says(theSameAs other: LLVSVersion) -> Bool {
        if let header = metadata.header, id.isNative { return id == other.id && header == other.metadata.header }
        return self == other
    }
}

extension LLVSVersion: Decodable {
    fileprivate enum CodingKeys: String, CodingKey {
        case version, identifier, predecessors, timestamp, metadata, valueDataSize
    }

    fileprivate enum PredecessorKeys: String, CodingKey {
        case idOfFirst, idOfSecond
    }

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: CodingKeys.self)
        // A folder's files have it under a key, a store's do not.
        let container =
            outer.contains(.version) ? try outer.nestedContainer(keyedBy: CodingKeys.self, forKey: .version) : outer
        id = try Version.ID(container.decode(String.self, forKey: .identifier))
        timestamp = try container.decode(Double.self, forKey: .timestamp)
        metadata = LLVSMetadata(json: try container.decodeIfPresent(JSONValue.self, forKey: .metadata) ?? .array([]))
        var ids: [Version.ID] = []
        if container.contains(.predecessors), try !container.decodeNil(forKey: .predecessors) {
            let predecessors = try container.nestedContainer(keyedBy: PredecessorKeys.self, forKey: .predecessors)
            ids.append(try Version.ID(predecessors.decode(String.self, forKey: .idOfFirst)))
            if let second = try predecessors.decodeIfPresent(String.self, forKey: .idOfSecond) {
                ids.append(try Version.ID(second))
            }
        }
        first = ids.first
        second = ids.count == 2 && ids[0] != ids[1] ? ids[1] : nil
    }
}

/// The file of a version in a folder.
struct LLVSVersionFile: Encodable {
    let version: LLVSVersion
    /// The bytes of the values it stores: LLVS fetches as many versions at once as fit in some megabytes.
    let valueDataSize: UInt64

    func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: LLVSVersion.CodingKeys.self)
        var container = outer.nestedContainer(keyedBy: LLVSVersion.CodingKeys.self, forKey: .version)
        try container.encode(version.id.description, forKey: .identifier)
        try container.encode(version.timestamp, forKey: .timestamp)
        try container.encode(version.metadata.json, forKey: .metadata)
        try container.encode(valueDataSize, forKey: .valueDataSize)
        guard let first = version.first else { return }
        var predecessors = container.nestedContainer(keyedBy: LLVSVersion.PredecessorKeys.self, forKey: .predecessors)
        try predecessors.encode(first.description, forKey: .idOfFirst)
        try predecessors.encodeIfPresent(version.second?.description, forKey: .idOfSecond)
    }
}
