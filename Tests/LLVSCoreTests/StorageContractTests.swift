import LLVSCore
import StorageConformance
import TestSupport
import Testing

/// The public acceptance suite, on every storage of the package.
@Suite("Storage contract", .timeLimit(.minutes(20)))
struct StorageContractTests {
    @Test("every storage keeps every claim", arguments: StorageKind.allCases, StorageClaim.all)
    func keeps(_ kind: StorageKind, _ claim: StorageClaim) async throws {
        try await onOwnThread { try kind.withStorage { try claim.check($0) } }
    }

    @Test("what is on disk keeps every claim about opening it again", arguments: DurableStorageClaim.all)
    func keepsOnDisk(_ claim: DurableStorageClaim) async throws {
        try await onOwnThread {
            try withStorageDirectory { directory in
                try SQLiteStorage.create(at: directory + "/sqlite").close()
                try claim.check { try SQLiteStorage.open(at: directory + "/sqlite") }
                try FileStorage.create(at: directory + "/files").close()
                try claim.check { try FileStorage.open(at: directory + "/files") }
            }
        }
    }

    @Test("there is a claim for each promise, under a name of its own")
    func names() {
        let names = StorageClaim.all.map(\.name) + DurableStorageClaim.all.map(\.name)
        #expect(Set(names).count == names.count && names.count > 30)
    }

    @Test("a storage that breaks a promise is told which, and where that is stated")
    func tells() throws {
        for breach in BrokenStorage.Breach.allCases {
            let failures = StorageClaim.all.compactMap { claim in
                do { try claim.check(BrokenStorage(breach)) } catch let failure as StorageClaimFailure {
                    return failure
                } catch { Issue.record("\(breach): \(error)") }
                return nil
            }
            #expect(failures.count >= 1, "\(breach)")
            for failure in failures {
                #expect(StorageClaim.all.contains { $0.name == failure.claim })
                #expect(failure.place.hasPrefix("StorageConformance/") && !failure.found.isEmpty)
            }
        }
    }
}

/// A storage in memory with one fault.
private struct BrokenStorage: Storage {
    enum Breach: CaseIterable {
        case keepsWhatThrew
        case forgetsWhatWasPut
        case opensAfterClosing
    }

    private struct Swallowed: Error {}
    private let base = MemoryStorage()
    private let breach: Breach

    init(_ breach: Breach) {
        self.breach = breach
    }

    func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result { try base.read(body) }

    func write<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result {
        switch breach {
        case .opensAfterClosing: return try base.write(body)
        case .keepsWhatThrew: return try base.write { writer in Swift.Result { try body(writer) } }.get()
        case .forgetsWhatWasPut:
            var result: Result?
            do {
                try base.write { writer in
                    result = try body(writer)
                    throw Swallowed()
                }
            } catch is Swallowed {}
            guard let result else { throw Swallowed() }
            return result
        }
    }

    func sync() throws { try base.sync() }
    func checkIntegrity() throws -> [String] { try base.checkIntegrity() }
    func close() throws { if breach != .opensAfterClosing { try base.close() } }
}
