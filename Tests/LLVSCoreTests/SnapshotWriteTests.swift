import FileCoordination
import TestSupport
import Testing

@testable import LLVSCore

@Suite("Snapshot: written") struct SnapshotWriteTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func restored(_ name: String = "s") throws -> Store {
        let store = Store(storage: MemoryStorage())
        try store.restore(snapshot: folder(name))
        return store
    }

    /// The chunks that were written through a file system.
    private func chunksWritten(_ files: FaultyFileSystem) -> Int {
        files.calls.count { $0.name == "write" } - 1
    }

    /// A store of many versions.
    private func long() throws -> StoreBuilder {
        let builder = StoreBuilder()
        let base = try builder.save(["x": String(repeating: "x", count: 300)])
        for number in 0..<300 {
            try builder.save(["x": "\(number)"], on: base, at: StoreBuilder.now + Int64(number))
        }
        return builder
    }

    @Test("a later snapshot writes the chunks that changed, and removes those that nothing names")
    func incremental() throws {
        let builder = try long()
        let first = try builder.store.writeSnapshot(to: folder("s"), chunkSize: 4_096)
        let files = FaultyFileSystem()
        #expect(try builder.store.writeSnapshot(to: folder("s"), files: files, chunkSize: 4_096).chunks == first.chunks)
        #expect(chunksWritten(files) == 0)
        let more = FaultyFileSystem()
        try builder.save(["new": "new"])
        let second = try builder.store.writeSnapshot(to: folder("s"), files: more, chunkSize: 4_096)
        #expect((1...first.chunks.count / 2).contains(chunksWritten(more)))
        #expect(Set(first.chunks).intersection(second.chunks).count > first.chunks.count / 2)
        #expect(try folder.names(in: "s").count == Set(second.chunks).count + 1)
        #expect(try restored().storage.contents() == builder.store.storage.contents())
    }

    @Test("a snapshot of another store, or of a later state of this one, is not replaced")
    func keepsTheOnlyBackup() throws {
        let (builder, other) = (StoreBuilder(), StoreBuilder())
        try builder.save(["diary": "ten years"])
        try builder.store.writeSnapshot(to: folder("s"))
        let earlier = try restored()
        try builder.save(["diary": "eleven years"], on: try #require(try builder.store.heads().first).id)
        let manifest = try builder.store.writeSnapshot(to: folder("s"))
        let before = try folder.names(in: "s")
        for store in [other.store, earlier] {
            #expect(throws: StoreError.self) { try store.writeSnapshot(to: folder("s")) }
            #expect(try folder.names(in: "s") == before)
        }
        #expect(try restored().heads().map(\.id) == manifest.heads)
    }

    @Test("a call that was cancelled is no snapshot, and the next one goes on")
    func resumes() throws {
        struct Cancelled: Error {}
        let builder = try long()
        #expect(throws: Cancelled.self) {
            try builder.store.writeSnapshot(to: folder("s"), chunkSize: 4_096) { done, total in
                if done > total / 2 { throw Cancelled() }
            }
        }
        let there = try folder.names(in: "s").count
        #expect(there > 10)
        try expectRefused([.notASnapshot], leaving: ["s"], in: folder) { _ = try restored() }
        // A chunk that was damaged since is written again.
        let name = try #require(try folder.names(in: "s").first { $0.hasSuffix(".chunk") })
        try folder.put([1, 2, 3], at: "s/" + name)
        let files = FaultyFileSystem()
        let manifest = try builder.store.writeSnapshot(to: folder("s"), files: files, chunkSize: 4_096)
        #expect(chunksWritten(files) == Set(manifest.chunks).count - there + 1)
        #expect(try restored().storage.contents() == builder.store.storage.contents())
    }

    @Test("every call that fails or never comes: the old snapshot or the new one, whole, and the next call succeeds")
    func failAndKillAtEveryCall() throws {
        for dies in [false, true] {
            for call in 1... {
                let builder = StoreBuilder()
                let old = try builder.save(["a": "1"])
                try builder.store.writeSnapshot(to: folder("s"), now: 1)
                let new = try builder.save(["a": "2"], on: old)
                let files = FaultyFileSystem(fault: dies ? .death(call: call) : .once(call: call, errno: .noSpace))
                var failed = false
                do { try builder.store.writeSnapshot(to: folder("s"), files: files, now: 2) } catch is StoreError {
                    failed = true
                }
                #expect(files.openFiles == 0 || dies)
                let heads = try restored().heads().map(\.id)
                #expect(heads == [old] || heads == [new], "call \(call)")
                if !failed { #expect(heads == [new]) }
                try builder.store.writeSnapshot(to: folder("s"), now: 3)
                #expect(try restored().text("a", at: new) == "2")
                for name in try folder.names(in: "s") { try folder.remove("s/" + name) }
                if !files.tripped { break }
                #expect(call < 100)
            }
        }
    }

    @Test("a folder with other things in it is not written to; two at once do not meet")
    func refuses() throws {
        let builder = StoreBuilder()
        try builder.save(["a": "1"])
        try folder.makeFolder("d")
        try folder.write("mine", to: "d/notes.txt")
        try expectRefused([.notASnapshot], leaving: ["d"], in: folder) {
            try builder.store.writeSnapshot(to: folder("d"))
        }
        #expect(try folder.names(in: "d") == ["notes.txt"])
        try expectRefused([.inputOutput], leaving: ["d"], in: folder) {
            try builder.store.writeSnapshot(to: folder("no/parent"))
        }
        var isRefused = false
        try builder.store.writeSnapshot(to: folder("s")) { _, _ in
            do { try builder.store.writeSnapshot(to: folder("s")) } catch let error as StoreError {
                isRefused = error.code == .locked
            }
        }
        #expect(isRefused)
        #expect(try restored().versionCount() == 1)
    }
}

extension Store {
    fileprivate func text(_ id: Value.ID, at version: Version.ID) throws -> String? {
        try bytes(of: id, at: version).map { String(decoding: $0, as: UTF8.self) }
    }
}
