import FileCoordination
import Foundation
import LLVSCore
import TestSupport
import Testing

/// A history that LLVS itself wrote, in three forms, and what LLVS reads in it.
enum LLVSNotes {
    struct Expected: Decodable {
        struct Version: Decodable {
            let id: String
            let timestamp: Double
            let predecessors: [String]
            let branch: String?
            let values: [String: Data]
        }

        let heads: [String]
        let versions: [Version]
    }

    static var directory: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/LLVSNotes").path
    }

    static func expected() throws -> Expected {
        let data = try Data(contentsOf: URL(fileURLWithPath: directory + "/expected.json"))
        return try JSONDecoder().decode(Expected.self, from: data)
    }

    /// A copy of its shared folder, to be changed.
    static func exchangeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["versions", "changes"] {
            try FileManager.default.copyItem(atPath: "\(directory)/exchange/\(name)", toPath: folder(name))
        }
        return folder
    }

    /// Its FileStorage store, unpacked.
    static func fileStore() throws -> TemporaryFolder {
        let data = try Data(contentsOf: URL(fileURLWithPath: directory + "/file-store.json"))
        let folder = try TemporaryFolder()
        for (path, bytes) in try JSONDecoder().decode([String: Data].self, from: data) {
            let url = URL(fileURLWithPath: folder(path))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: url)
        }
        return folder
    }

    /// Its SQLiteStorage store, copied.
    static func databaseStore() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["versions", "values", "maps"] {
            try FileManager.default.copyItem(atPath: "\(directory)/sqlite-store/\(name)", toPath: folder(name))
        }
        return folder
    }

    /// Expects that a store has everything as LLVS reads it: versions, predecessors, times, branches, values and heads.
    static func expect(in store: Store) throws {
        let expected = try expected()
        #expect(try store.versionCount() == expected.versions.count)
        #expect(try Set(store.heads().map(\.id.description)) == Set(expected.heads))
        for version in expected.versions {
            let id = try Version.ID(version.id)
            let found = try store.version(id)
            #expect(Set(found.parents.map(\.description)) == Set(version.predecessors))
            #expect(found.parents.isEmpty || found.basis.description == version.predecessors.first)
            #expect(found.branch?.rawValue == version.branch)
            #expect(found.kind == .authored)
            #expect(abs(Double(found.time) / 1_000 - 978_307_200 - version.timestamp) < 0.001)
            var values: [Value.ID: [UInt8]] = [:]
            for id in try store.valueIDs(at: found.id) { values[id] = try store.bytes(of: id, at: found.id) }
            var wanted: [Value.ID: [UInt8]] = [:]
            for (id, data) in version.values { wanted[try Value.ID(id)] = [UInt8](data) }
            #expect(values == wanted, "\(version.id)")
        }
        #expect(try store.verify().isEmpty)
    }
}

extension Store {
    /// The digest of each version's record and values: equal in two stores that hold the same.
    func contents() throws -> [Version.ID: [Digest]] {
        var found: [Version.ID: [Digest]] = [:]
        try inspect { view in
            try view.forEachFirm(from: 1) { _, outgoing in
                found[outgoing.id] = [try outgoing.recordDigest()]
                return true
            }
        }
        for id in found.keys { found[id]?.append(try digest(at: id)) }
        return found
    }
}
