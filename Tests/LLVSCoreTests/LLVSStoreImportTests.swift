import FileCoordination
import Foundation
import TestSupport
import Testing

@testable import LLVSCore

@Suite("LLVS: import of its stores") struct LLVSStoreImportTests {
    private func folder(_ kind: LLVSStoreImport.Kind) throws -> TemporaryFolder {
        switch kind {
        case .fileStorage: try LLVSNotes.fileStore()
        case .sqliteStorage: try LLVSNotes.databaseStore()
        }
    }

    @Test(
        "every version, its values, predecessors, time and branch",
        arguments: [
            LLVSStoreImport.Kind.fileStorage, .sqliteStorage,
        ])
    func everything(_ kind: LLVSStoreImport.Kind) throws {
        let folder = try folder(kind)
        let before = try folder.allBytes()
        let source = try LLVSStoreImport(directory: folder.path)
        #expect(source.kind == kind)
        let store = StoreBuilder().store
        #expect(try source.run(into: store) == .importing(31))
        try LLVSNotes.expect(in: store)
        #expect(try source.run(into: store) == LLVSReport())
        #expect(try folder.allBytes() == before)
    }

    @Test("the three forms of one history are the same versions here, bit for bit")
    func sameVersions() async throws {
        let exchanged = StoreBuilder().store
        let shared = try LLVSNotes.exchangeFolder()
        _ = try await FileSystemExchange(store: exchanged, folder: shared.path).retrieve()
        for kind in [LLVSStoreImport.Kind.fileStorage, .sqliteStorage] {
            let store = StoreBuilder().store
            let folder = try folder(kind)
            _ = try LLVSStoreImport(directory: folder.path).run(into: store)
            #expect(try store.contents() == exchanged.contents())
        }
    }
}

extension TemporaryFolder {
    /// Every file in it, by relative path.
    func allBytes() throws -> [String: Data] {
        var found: [String: Data] = [:]
        let walk = try #require(FileManager.default.enumerator(atPath: path))
        while let name = walk.nextObject() as? String {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: self(name), isDirectory: &isDirectory)
            if !isDirectory.boolValue { found[name] = try Data(contentsOf: URL(fileURLWithPath: self(name))) }
        }
        return found
    }
}
