extension ChangeList {
    private static let formatName = [UInt8]("LLVSchg1".utf8)

    /// An entry with an id of one byte: u32, id, operation, two hashes.
    private static let leastEntrySize = 4 + 1 + 1 + 2 * Digest.byteCount

    /// The bytes of the list, which never change: "LLVSchg1", u32 count, and for each entry u32 length and id, u8 operation,
    /// new hash, replaced hash, and where it preserves, u32 length and storing version.
    public var encoded: [UInt8] {
        let idBytes = entries.reduce(0) { $0 + $1.id.utf8.count }
        var writer = ByteWriter(reserving: 12 + entries.count * Self.leastEntrySize + idBytes)
        writer.append(Self.formatName)
        writer.count(entries.count)
        for entry in entries {
            writer.lengthPrefixed(entry.id.utf8)
            writer.u8(entry.operation.rawValue)
            writer.append(entry.contentHash)
            writer.append(entry.replacedHash)
            if let version = entry.storingVersion { writer.lengthPrefixed(version.utf8) }
        }
        return writer.bytes
    }

    /// The SHA-256 of ``encoded``.
    public var digest: Digest { SHA256.hash(encoded) }

    /// The list that has these bytes.
    /// - Throws: ``StoreError/Code/invalidVersion`` unless they are exactly what ``encoded`` writes for some list.
    public init(decoding bytes: [UInt8]) throws(StoreError) {
        var reader = ByteReader(bytes, of: "change list", code: .invalidVersion)
        try reader.expect(Self.formatName)
        let count = try reader.count(ofEntriesOf: Self.leastEntrySize)
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let entry = try Self.entry(from: &reader)
            if let last = entries.last, !(last.id < entry.id) { throw reader.failure("is not in the order of its ids") }
            if let problem = entry.problem { throw Self.invalid(entry, problem, code: .invalidVersion) }
            entries.append(entry)
        }
        try reader.expectEnd()
        self.init(checked: entries)
    }

    /// How many entries the list of these bytes has, as far as its first bytes tell.
    static func count(in bytes: [UInt8]) throws(StoreError) -> Int {
        var reader = ByteReader(bytes, of: "change list", code: .invalidVersion)
        try reader.expect(formatName)
        return try reader.count(ofEntriesOf: leastEntrySize)
    }

    private static func entry(from reader: inout ByteReader) throws(StoreError) -> Entry {
        let utf8 = try reader.lengthPrefixed()
        // No I/O: whatever is wrong with the id, it is the list that does not decode.
        guard let id = try? Value.ID(utf8: utf8) else { throw reader.failure("has a value id that is none") }
        let number = try reader.u8()
        guard let operation = Operation(rawValue: number) else {
            throw reader.failure("has an operation \(number), which is none")
        }
        let contentHash = try reader.digest()
        let replacedHash = try reader.digest()
        return Entry(
            id: id, operation: operation, contentHash: contentHash, replacedHash: replacedHash,
            storingVersion: operation == .preserve ? try reader.versionID() : nil)
    }
}

extension ByteReader {
    /// A u32 length and the id of a version.
    mutating func versionID() throws(StoreError) -> Version.ID {
        let utf8 = try lengthPrefixed()
        // No I/O: whatever is wrong with the id, it is what holds it that does not decode.
        guard let id = try? Version.ID(utf8: utf8) else { throw failure("has a version id that is none") }
        return id
    }
}
