import FileCoordination
import Foundation
import TestSupport
import Testing

@testable import LLVSCore

@Suite("LLVS: a folder that fails") struct LLVSExchangeFaultTests {
    private enum Way: CaseIterable {
        case failing, dying

        func fault(_ call: Int) -> FaultyFileSystem.Fault {
            switch self {
            case .failing: .once(call: call, errno: .inputOutput)
            case .dying: .death(call: call)
            }
        }
    }

    /// Runs `body` with each of its calls failing in turn, until one run has none that fails.
    private func forEachCall(_ body: (FaultyFileSystem, Way) async throws -> Void) async throws {
        for way in Way.allCases {
            for call in 1..<2_000 {
                let files = FaultyFileSystem(fault: way.fault(call))
                try await body(files, way)
                if !files.tripped {
                    #expect(call > 10)
                    return
                }
            }
            Issue.record("no run without a fault")
        }
    }

    /// Runs a call that may throw, but only a typed error.
    private func attempt(_ body: () async throws -> LLVSReport) async throws -> LLVSReport? {
        do {
            return try await body()
        } catch let error as StoreError {
            #expect(!error.remedy.isEmpty)
            return nil
        }
    }

    @Test("a sender that fails or dies at any call leaves a usable part, and the next send finishes")
    func sending() async throws {
        let builder = StoreBuilder()
        let first = try builder.save(["a": "1"])
        try builder.save(["a": "2"], on: first)
        try await forEachCall { files, _ in
            let folder = try TemporaryFolder()
            let sender = StoreBuilder().store
            let hub = MemoryExchange.Hub()
            _ = try await MemoryExchange(store: builder.store, hub: hub).send()
            _ = try await MemoryExchange(store: sender, hub: hub).retrieve()
            _ = try await attempt {
                try await FileSystemExchange(store: sender, folder: folder.path, files: files).send()
            }
            let reader = StoreBuilder().store
            let exchange = FileSystemExchange(store: reader, folder: folder.path)
            let report = try await exchange.retrieve()
            #expect(report.damaged.isEmpty && report.waiting.isEmpty)
            #expect(files.openFiles == 0)
            _ = try await FileSystemExchange(store: sender, folder: folder.path).send()
            _ = try await exchange.retrieve()
            #expect(try reader.contents() == builder.store.contents())
        }
    }

    @Test("a reader that fails or dies at any call has whole versions, and the next retrieve finishes")
    func retrieving() async throws {
        let folder = try TemporaryFolder()
        try folder.writeLLVS("a", changes: #"[{"insert":{"id":"x","data":"AA=="}}]"#)
        try folder.writeLLVS("b", parents: ["a"], changes: #"[{"insert":{"id":"y","data":"AA=="}}]"#)
        try folder.writeLLVS("c", parents: ["b", "a"], changes: #"[{"remove":"x"}]"#)
        try await forEachCall { files, _ in
            let store = StoreBuilder().store
            _ = try await attempt {
                try await FileSystemExchange(store: store, folder: folder.path, files: files).retrieve()
            }
            #expect(try store.verify().isEmpty)
            let report = try await FileSystemExchange(store: store, folder: folder.path).retrieve()
            #expect(report.damaged.isEmpty && report.waiting.isEmpty)
            #expect(try store.valueIDs(at: Version.ID("c")) == ["y"])
            #expect(files.openFiles == 0)
        }
    }

    @Test("an import that cannot read a file reports it, and the next one finishes")
    func importing() async throws {
        let folder = try LLVSNotes.fileStore()
        for call in stride(from: 3, to: 400, by: 61) {
            let files = FaultyFileSystem(fault: .once(call: call, errno: .inputOutput))
            let store = StoreBuilder().store
            let source = try LLVSStoreImport(directory: folder.path)
            _ = try await attempt { try LLVSStoreImport(directory: folder.path, files: files).run(into: store) }
            _ = try source.run(into: store)
            #expect(try store.versionCount() == 31)
        }
    }

    @Test("a full disk and a read-only folder are said as such, and may be tried again")
    func refusals() async throws {
        let builder = StoreBuilder()
        try builder.save(["a": "1"])
        let folder = try TemporaryFolder()
        for (errno, code) in [(Errno.noSpace, StoreError.Code.noSpace), (.readOnlyFileSystem, .readOnly)] {
            let files = FaultyFileSystem(fault: .named("write", errno: errno))
            let exchange = FileSystemExchange(store: builder.store, folder: folder.path, files: files)
            do {
                _ = try await exchange.send()
                Issue.record("sent")
            } catch let error as StoreError {
                #expect(error.code == code)
                #expect(error.isRetryable)
                #expect(error.path != nil)
            }
        }
    }
}
