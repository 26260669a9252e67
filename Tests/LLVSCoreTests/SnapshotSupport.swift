import FileCoordination
import TestSupport
import Testing

@testable import LLVSCore

/// Stores and snapshots for the suites about snapshots.
enum SnapshotSample {
    /// A small chunk, so that few values make many.
    static let chunkSize = 4_096

    /// A store with merges, branches, odd ids, removals, an empty value, provisional and dropped versions, and a current one;
    /// with a value in chunks, if it is to.
    static func fill(_ builder: StoreBuilder, large: Bool = false) async throws {
        var values: [Value.ID: String] = ["../x": "up"]
        for number in 0..<60 { values[try Value.ID("value \(number)")] = String(repeating: "\(number) ", count: 40) }
        for odd in ["a/b", "aLLVSSLASHb", "..versions", "\n\0", "é", "e\u{301}", "X", "x"] {
            values[try Value.ID(odd)] = odd
        }
        values["empty"] = ""
        let base = try builder.save(values)
        let one = try builder.save(["x": "1", "value 1": nil], on: base)
        let two = try builder.save(["value 2": "2"], on: base, metadata: ["k": [0, 255]])
        try builder.save(["x": "3"], on: two, branch: "draft")
        let coordinator = StoreCoordinator(store: builder.store, clock: { StoreBuilder.now })
        try await coordinator.merge()
        try builder.save(["value 4": "4"], on: one)
        try await coordinator.merge()
        guard large else { return }
        _ = try builder.store.makeVersion(
            basedOn: base,
            changes: [.insert(Value(id: "large", bytes: [UInt8](repeating: 7, count: BodyStorage.largestRow + 99)))],
            branch: "large", now: StoreBuilder.now)
    }

    /// Everything that a reader can see of all versions.
    static func visible(_ store: Store) throws -> [String] {
        try store.read { snapshot in
            var seen: [String] = []
            var versions: [StoredVersion] = []
            try snapshot.reader.scanRows(StoreZones.versions, from: 1) { row, bytes in
                versions.append(try StoredVersion(decoding: bytes, row: row))
                return true
            }
            for version in versions {
                seen.append("\(version.id) \(String(describing: try snapshot.entry(version.id)?.state))")
                try snapshot.forEachReference(in: version, prefix: []) { id, reference in
                    let content = try BodyStorage.content(
                        reference.body, hash: reference.contentHash, in: snapshot.reader, of: store.storage)
                    seen.append("\(version.row) \(id.utf8) \(try content.digest())")
                    return true
                }
            }
            return seen
        }
    }
}

extension TemporaryFolder {
    /// What lies in a folder of it, by name.
    func files(in name: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for file in try names(in: name) { found[file] = try LocalFileSystem().readFile(at: self(name) + "/" + file) }
        return found
    }

    func put(_ bytes: [UInt8], at name: String) throws {
        try CoordinatedFile(durability: .fast).write(bytes, to: self(name))
    }

    func remove(_ name: String) throws {
        try LocalFileSystem().removeFile(self(name))
    }
}

/// Expects a store's error of one of these codes, and nothing at `path` but what is named.
func expectRefused(
    _ codes: [StoreError.Code], leaving names: [String], in folder: TemporaryFolder,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws {
    do {
        try body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as StoreError {
        #expect(codes.contains(error.code), "\(error)", sourceLocation: sourceLocation)
        #expect(!error.remedy.isEmpty, sourceLocation: sourceLocation)
    }
    #expect(try folder.names() == names.sorted(), sourceLocation: sourceLocation)
}
