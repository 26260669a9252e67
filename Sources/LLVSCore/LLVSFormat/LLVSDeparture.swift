import Foundation

/// A version of this store as the two files of LLVS's folder.
struct LLVSDeparture {
    let version: [UInt8]
    let changes: [UInt8]

    /// The most bytes of values in one version that go into such a file: LLVS holds it in memory as a whole.
    static let greatestContent: UInt64 = 256 << 20

    init(_ outgoing: OutgoingVersion) throws {
        let list = try ChangeList(decoding: try outgoing.changesBytes())
        let stored = list.entries.count { [.insert, .update].contains($0.operation) }
        let size = try outgoing.bodySizes(stored).reduce(UInt64(0), +)
        guard size <= Self.greatestContent else {
            throw StoreError(
                .invalidChanges, "the version \(outgoing.id) has \(size) bytes of values, too many for LLVS's format",
                remedy: "share it through a folder of this software's own")
        }
        let version = try LLVSVersion(of: outgoing.stored.version(), header: outgoing.headerBytes)
        self.version = try Self.json(LLVSVersionFile(version: version, valueDataSize: size))
        changes = try Self.json(try Self.entries(list, of: outgoing))
    }

    private static func entries(_ list: ChangeList, of outgoing: OutgoingVersion) throws -> [LLVSChangeEntry] {
        var body = 0
        return try list.entries.map { entry in
            switch entry.operation {
            case .insert, .update:
                let bytes = try outgoing.body(body, hash: entry.contentHash).allBytes()
                body += 1
                let change = LLVSChange.set(entry.id, bytes, isNew: entry.operation == .insert)
                return LLVSChangeEntry(change: change, version: outgoing.id)
            case .remove: return LLVSChangeEntry(change: .remove(entry.id), version: nil)
            case .preserveRemoval: return LLVSChangeEntry(change: .preserveRemoval(entry.id), version: nil)
            case .preserve:
                guard let version = entry.storingVersion else { throw StoreError.damagedRecord("a change list") }
                return LLVSChangeEntry(change: .preserve(entry.id, storedBy: version), version: nil)
            }
        }
    }

    /// The same bytes for the same version on every device: two that write it at once write the same.
    private static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }
}
