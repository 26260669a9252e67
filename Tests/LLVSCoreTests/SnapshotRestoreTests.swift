import FileCoordination
import TestSupport
import Testing

@testable import LLVSCore

@Suite("Snapshot: restored whole or not at all") struct SnapshotRestoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let pairs = StorageKind.allCases.flatMap { from in StorageKind.allCases.map { (from, $0) } }

    @Test("a snapshot of one storage is the same store in another, byte for byte", arguments: pairs)
    func everyStorage(_ from: StorageKind, _ to: StorageKind) async throws {
        try await from.withBuilder { builder in
            try await SnapshotSample.fill(builder, large: true)
            let manifest = try builder.store.writeSnapshot(
                to: folder("s"), chunkSize: SnapshotSample.chunkSize, now: StoreBuilder.now)
            #expect(manifest.chunks.count > 100 && manifest.chunks.allSatisfy { $0.size <= SnapshotSample.chunkSize })
            try to.withStorage { try expectRestored(builder.store, manifest, into: $0) }
        }
    }

    private func expectRestored(
        _ original: Store, _ manifest: SnapshotManifest, into storage: any Storage
    ) throws {
        let restored = Store(storage: storage)
        #expect(try restored.restore(snapshot: folder("s")) == manifest)
        #expect(try storage.contents() == original.storage.contents())
        #expect(try SnapshotSample.visible(restored) == SnapshotSample.visible(original))
        #expect(try restored.heads() == original.heads())
        #expect(try restored.verify() == [])
    }

    @Test("every zone that a store has is in its snapshot")
    func everyZone() async throws {
        let storage = try SQLiteStorage.create(at: folder("a"))
        try await SnapshotSample.fill(StoreBuilder(storage), large: true)
        try Store(storage: storage).collectGarbage(now: StoreBuilder.now)
        try storage.close()
        let connection = try SQLitePlace(existing: folder("a")).connect(.reading, SQLiteOptions())
        let tables = try connection.texts("SELECT name FROM sqlite_master WHERE type = 'table'")
        let known = StoreZones.allRows.map { "r_\($0.name)" } + StoreZones.allKeyed.map { "k_\($0.name)" }
        #expect(Set(tables).subtracting(known) == [], "add the zone to StoreZones.allRows or allKeyed")
        #expect(tables.count > 8)
    }

    @Test("a snapshot is of one moment, although others write meanwhile", arguments: StorageKind.allCases)
    func consistent(_ kind: StorageKind) async throws {
        try await kind.withBuilder { builder in
            let base = try builder.save(["x": "0"])
            for number in 1...300 {
                try builder.save(["x": "\(number)"], on: base, at: StoreBuilder.now + Int64(number))
            }
            let heads = try builder.store.heads().map(\.id)
            var calls = 0
            let manifest = try builder.store.writeSnapshot(to: folder("s")) { done, total in
                #expect(done <= total)
                calls += 1
                try builder.save([try Value.ID("late \(calls)"): "late"], on: base)
            }
            #expect(calls > 2)
            #expect(manifest.heads == heads && manifest.versionCount == 301)
            #expect(try builder.store.versionCount() == 301 + calls)
            let restored = Store(storage: MemoryStorage())
            try restored.restore(snapshot: folder("s"))
            #expect(try restored.heads().map(\.id) == heads)
            #expect(try restored.verify() == [])
        }
    }

    /// A store of this folder with a snapshot of it, in many chunks.
    private func snapshot(_ name: String = "s", _ text: String = "") async throws -> SnapshotManifest {
        let builder = StoreBuilder()
        try await SnapshotSample.fill(builder)
        try builder.save([try Value.ID("of \(name)"): text])
        return try builder.store.writeSnapshot(to: folder(name), chunkSize: SnapshotSample.chunkSize)
    }

    @Test("a file that is cut, lost, changed or another snapshot's is named, and nothing is left")
    func damagedFiles() async throws {
        _ = try await snapshot("s", "1")
        _ = try await snapshot("t", String(repeating: "2", count: 9_000))
        let (mine, others) = (try folder.files(in: "s"), try folder.files(in: "t"))
        let foreign = try #require(others.first { mine[$0.key] == nil && $0.key.hasSuffix(".chunk") })
        let damaged: [StoreError.Code] = [.damagedSnapshot, .notASnapshot]
        for (name, bytes) in mine {
            var flipped = bytes
            flipped[bytes.count / 3] ^= 1
            for other in [Array(bytes.prefix(bytes.count * 6 / 10)), [], flipped, foreign.value, bytes + [0]] {
                try folder.put(other, at: "s/" + name)
                try expectRefused([.damagedSnapshot], leaving: ["s", "t"], in: folder) {
                    try Store.restore(snapshot: folder("s"), to: folder("store"))
                }
            }
            try folder.remove("s/" + name)
            try expectRefused(damaged, leaving: ["s", "t"], in: folder) {
                try Store.restore(snapshot: folder("s"), to: folder("store"))
            }
            try folder.put(bytes, at: "s/" + name)
        }
        try Store.restore(snapshot: folder("s"), to: folder("store"), verifying: .deep)
        #expect(try folder.names() == ["s", "store", "t"])
        let store = try Store.open(at: folder("store"))
        #expect(try store.verify() == [])
        try store.close()
    }

    @Test("no store is restored over: not one with versions, nor anything at the path")
    func refusesTargets() async throws {
        let manifest = try await snapshot()
        let builder = StoreBuilder()
        let own = try builder.save(["mine": "1"])
        let before = try builder.store.storage.contents()
        try expectRefused([.storeExists], leaving: ["s"], in: folder) {
            try builder.store.restore(snapshot: folder("s"))
        }
        #expect(try builder.store.storage.contents() == before && builder.text("mine", at: own) == "1")
        try folder.write("a file", to: "file")
        try expectRefused([.storeExists], leaving: ["file", "s"], in: folder) {
            try Store.restore(snapshot: folder("s"), to: folder("file"))
        }
        let empty = try Store.create(at: folder("empty"))
        #expect(try empty.restore(snapshot: folder("s")) == manifest)
        #expect(try empty.versionCount() == manifest.versionCount)
        try empty.close()
    }

    @Test("what others keep under the name of the place where a store is made up stays")
    func foreignStaging() async throws {
        _ = try await snapshot()
        try folder.makeFolder(".store.restoring")
        try folder.write("precious", to: ".store.restoring/notes.txt")
        #expect(throws: StoreError.self) { try Store.restore(snapshot: folder("s"), to: folder("store")) }
        #expect(try folder.text(of: ".store.restoring/notes.txt") == "precious")
        #expect(try !folder.names().contains("store"))
    }

    @Test("a restore that is cancelled leaves nothing, and says how far it is")
    func cancelled() async throws {
        struct Cancelled: Error {}
        let manifest = try await snapshot()
        let target = Store(storage: MemoryStorage())
        for most in [0, manifest.totalSize / 2, manifest.totalSize] {
            #expect(throws: Cancelled.self) {
                try Store.restore(snapshot: folder("s"), to: folder("store")) { done, total in
                    #expect(total == manifest.totalSize)
                    if done >= most { throw Cancelled() }
                }
            }
            #expect(try folder.names() == ["s"])
            #expect(throws: Cancelled.self) {
                try target.restore(snapshot: folder("s")) { done, _ in if done >= most { throw Cancelled() } }
            }
            #expect(try target.versionCount() == 0 && target.storage.contents().isEmpty)
        }
        try target.restore(snapshot: folder("s"))
        #expect(try target.versionCount() == manifest.versionCount)
    }

    /// Here the dead one's lock lives as long as a child that some other test is just starting, which has its file until then.
    private func restoreAfterDeath() throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            do {
                try Store.restore(snapshot: folder("s"), to: folder("store"))
                return
            } catch let error as StoreError {
                guard error.code == .locked, .now < deadline else { throw error }
            }
        }
    }

    @Test("every call that fails or never comes: no store or a whole one, and the next restore succeeds")
    func failAndKillAtEveryCall() throws {
        let builder = StoreBuilder()
        let saved = try builder.save(["a": "1", "b": "2"])
        try builder.store.writeSnapshot(to: folder("s"))
        for dies in [false, true] {
            for call in 1... {
                let files = FaultyFileSystem(fault: dies ? .death(call: call) : .once(call: call, errno: .inputOutput))
                do {
                    try Store.restore(snapshot: folder("s"), to: folder("store"), files: files)
                } catch let error as StoreError {
                    #expect(error.code != .storeExists, "call \(call): \(error)")
                }
                let isThere = try folder.names().contains("store")
                if !isThere {
                    if !dies { #expect(Set(try folder.names()).isSubset(of: ["s", ".store.restoring.lock"])) }
                    try restoreAfterDeath()
                }
                #expect(files.openFiles == 0 || dies, "call \(call)")
                let store = try Store.open(at: folder("store"))
                #expect(try store.bytes(of: "b", at: saved) == Array("2".utf8))
                try store.close()
                // What a failure left that came after the store was in place.
                for name in try folder.names() where name.hasPrefix(".store.restoring") { try folder.remove(name) }
                #expect(try folder.names() == ["s", "store"])
                for name in try folder.names(in: "store") { try folder.remove("store/" + name) }
                try LocalFileSystem().removeDirectory(folder("store"))
                if !files.tripped { break }
                #expect(call < 100)
            }
        }
    }
}
