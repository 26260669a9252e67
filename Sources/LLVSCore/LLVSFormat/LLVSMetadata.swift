import Foundation

/// The metadata of a version in LLVS's files: an array of keys and values in turn, each value `{"data": base64 of JSON}`.
struct LLVSMetadata: Hashable, Sendable {
    /// LLVS's key of the branch.
    static let branchKey = "__llvs_branch"
    /// Under this key a native version carries its bytes: base64 in a JSON string.
    static let headerKey = "llvs.header"
    /// Under this key of a version in our store is the JSON of metadata that is not as LLVS writes it.
    static let rawKey = "llvs.metadata"
    /// Under this key of a version in our store is the time stamp to the last bit.
    static let timestampKey = "llvs.timestamp"
    /// Keys that start like this are ours.
    static let reservedPrefix = "llvs."

    /// The elements of the array, or whatever else the file has there.
    let json: JSONValue
    /// Key → the JSON it has as data; nil if the metadata is not as LLVS writes it.
    let values: [String: [UInt8]]?

    init(json: JSONValue) {
        self.json = json
        values = Self.values(of: json)
    }

    init(_ values: [String: [UInt8]]) {
        let ascending = values.sorted { [UInt8]($0.key.utf8).precedes([UInt8]($1.key.utf8)) }
        json = .array(
            ascending.flatMap { key, bytes in
                [.string(key), .object(["data": .string(Data(bytes).base64EncodedString())])]
            })
        self.values = values
    }

    private static func values(of json: JSONValue) -> [String: [UInt8]]? {
        guard case .array(let elements) = json, elements.count.isMultiple(of: 2) else { return nil }
        var values: [String: [UInt8]] = [:]
        for index in stride(from: 0, to: elements.count, by: 2) {
            guard case .string(let key) = elements[index], case .object(let value) = elements[index + 1],
                value.count == 1, case .string(let base64)? = value["data"], let data = Data(base64Encoded: base64)
            else { return nil }
            values[key] = [UInt8](data)
        }
        return values
    }

    /// Order and spelling of the JSON mean nothing.
    static func == (left: Self, right: Self) -> Bool {
        left.values == right.values && (left.values != nil || left.json == right.json)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(values) }

    /// The text under a key, if it is a JSON string.
    func text(_ key: String) -> String? {
        guard let bytes = values?[key] else { return nil }
        do { return try JSONDecoder().decode(String.self, from: Data(bytes)) } catch { return nil }
    }

    /// The bytes of a native version, if it carries them.
    var header: [UInt8]? { text(Self.headerKey).flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) } }
}

extension LLVSMetadata {
    /// What a foreign version has in our store: every key with its JSON as it came, the branch where ours are, and the time
    /// stamp. What is not as LLVS writes it, or uses our reserved keys, is kept whole under one key.
    func stored(timestamp: Double) throws -> Version.Metadata {
        var stored = values ?? [:]
        if values == nil || stored.keys.contains(where: { $0.hasPrefix(Self.reservedPrefix) }) {
            stored = [Self.rawKey: try json.canonicalBytes()]
        }
        stored[Self.timestampKey] = withUnsafeBytes(of: timestamp.bitPattern.littleEndian) { Array($0) }
        return Version.Metadata(stored, branch: text(Self.branchKey).map { Branch(rawValue: $0) })
    }

    /// What LLVS is to see of a version in our store: the inverse of ``stored(timestamp:)``, and for a native version its
    /// own bytes, its branch as LLVS has it, and what the app noted.
    init(of version: Version, header: [UInt8]) throws {
        var values: [String: [UInt8]] = [:]
        for entry in version.metadata.entries where !entry.key.hasPrefix(Self.reservedPrefix) {
            values[entry.key] = entry.value
        }
        if version.id.isNative {
            values[Self.headerKey] = try Self.json(of: Data(header).base64EncodedString())
            if let branch = version.branch { values[Self.branchKey] = try Self.json(of: branch.rawValue) }
        } else if let raw = version.metadata[Self.rawKey] {
            self.init(json: try JSONDecoder().decode(JSONValue.self, from: Data(raw)))
            return
        }
        self.init(values)
    }

    private static func json(of text: String) throws -> [UInt8] { [UInt8](try JSONEncoder().encode(text)) }
}
