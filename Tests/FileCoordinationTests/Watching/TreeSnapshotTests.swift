import CPlatform
import TestSupport
import Testing

@testable import FileCoordination

@Suite("A token's snapshot of a tree", .timeLimit(.minutes(20)))
struct TreeSnapshotTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tree() -> WatchTree {
        let tree = WatchTree(
            root: folder.path, files: .local, source: nil, filter: WatchFilter(WatchOptions()),
            clock: { LookTime(wall: .max, steady: 0) })
        tree.isSilent = true
        tree.rootIsSuspect = true
        tree.settle()
        return tree
    }

    private func change(_ random: inout SeededRandom) throws {
        let local = LocalFileSystem()
        let name = "\(Int.random(in: 0..<4, using: &random))"
        let path = "d\(name)/e\(Int.random(in: 0..<3, using: &random))"
        // What is in the way is in the way; another change follows.
        do {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: try folder.makeFolder(path)
            case 2: try folder.write(String(repeating: "x", count: Int(random.next() % 50)), to: "\(path)/f\(name)")
            case 3: try local.rename(folder(path), to: folder("d\(name)/moved"))
            case 4: try local.removeFile(folder("\(path)/f\(name)"))
            default: try folder.write("y", to: "top\(name)")
            }
        } catch {}
    }

    /// All paths and what was seen of them, the simple way.
    private func everything(_ tree: WatchTree) -> [String: Fingerprint] {
        var all: [String: Fingerprint] = [:]
        tree.forEachFolder { known in
            known.snapshot.visit { name, seen in
                all[folder(known.path(of: String(decoding: name, as: UTF8.self)))] = seen
            }
        }
        return all
    }

    @Test
    func differencesAreThoseOfAllPathsComparedOneByOne() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SeededRandom(seed: seed)
        for round in 0..<25 {
            for _ in 0..<20 { try change(&random) }
            let tree = tree()
            let before = everything(tree)
            let token = WatchToken(tree.snapshot())
            for _ in 0..<Int.random(in: 0..<20, using: &random) { try change(&random) }
            tree.wantsRescan = true
            tree.settle()
            let after = everything(tree)
            var wanted: [String: WatchEvent.Kind] = [:]
            for path in Set(before.keys).union(after.keys) {
                guard before[path] != after[path] || before[path]?.isFresh == true else { continue }
                wanted[path] = before[path] == nil ? .created : after[path] == nil ? .removed : .modified
            }
            let events = tree.differences(from: try TreeSnapshot(decoding: token.encoded))
            #expect(events.count == wanted.count, "seed \(seed), round \(round)")
            for event in events { #expect(wanted[event.path] == event.kind, "\(event), seed \(seed), round \(round)") }
        }
    }

    @Test
    func whatIsForgottenDiffersWhateverIsThere() throws {
        try folder.write("x", to: "kept")
        try folder.makeFolder("d/deep")
        let tree = tree()
        var snapshot = tree.snapshot()
        for path in ["kept", "gone", "lost/f", "d/deep"] { snapshot.forget(path) }
        snapshot.forgetFolder("d")
        snapshot.forgetFolder("lost")
        let decoded = try TreeSnapshot(decoding: WatchToken(snapshot).encoded)
        let told = Dictionary(grouping: tree.differences(from: decoded), by: \.path).mapValues { $0.map(\.kind) }
        #expect(
            told == [
                folder("kept"): [.modified], folder("gone"): [.removed], folder("d"): [.rescan(.backlog)],
                folder("d/deep"): [.modified], folder("lost"): [.removed, .rescan(.backlog)],
                folder("lost/f"): [.removed],
            ])
        snapshot.forget("")
        #expect(tree.differences(from: snapshot).contains(WatchEvent(.modified, path: folder.path, isDirectory: true)))
    }

    @Test
    func anotherRootIsComparedAllTheSame() throws {
        try folder.write("x", to: "f")
        let tree = tree()
        #expect(
            tree.differences(from: TreeSnapshot()).map(\.path).sorted() == [folder.path, folder("f")])
        let token = tree.snapshot()
        tree.leaveRoot()
        tree.rootIdentity = nil
        #expect(tree.differences(from: token).map(\.kind) == [.removed, .removed])
    }

    private func token() throws -> [UInt8] {
        try folder.makeFolder("a/b")
        for name in ["f", "a/\u{E9}", "a/b/g"] { try folder.write(name, to: name) }
        return WatchToken(tree().snapshot()).encoded
    }

    @Test
    func everyDamagedByteAndEveryShorterTokenIsRefused() throws {
        let bytes = try token()
        #expect(try WatchToken(decoding: bytes).encoded == bytes)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x41
            #expect(throws: FileCoordinationError.self) { try WatchToken(decoding: damaged) }
            #expect(throws: FileCoordinationError.self) { try WatchToken(decoding: Array(bytes.prefix(index))) }
        }
        #expect(throws: FileCoordinationError.self) { try WatchToken(decoding: bytes + [0]) }
        do { _ = try WatchToken(decoding: Array("no token at all".utf8)) } catch {
            #expect(error.code == .invalidToken && error.description.contains("begin without a token"))
        }
    }

    /// With a right checksum, so that everything behind it is reached.
    private func sealed(_ body: [UInt8]) -> [UInt8] {
        var hash = cplatform_sha256()
        cplatform_sha256_init(&hash)
        cplatform_sha256_update(&hash, body, body.count)
        var digest = [UInt8](repeating: 0, count: 32)
        cplatform_sha256_final(&hash, &digest)
        return body + digest
    }

    @Test
    func foreignBytesNeverTrapAndNamesNeverLeadOutOfTheTree() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SeededRandom(seed: seed)
        let body = Array(try token().dropLast(32))
        var accepted = 0
        for _ in 0..<3000 {
            var forged = body
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 12..<forged.count, using: &random)
                switch random.next() % 3 {
                case 0: forged[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: forged.removeSubrange(index...)
                default: forged.insert(contentsOf: random.bytes(3), at: index)
                }
                if forged.count < 14 { forged = body }
            }
            do {
                let snapshot = try TreeSnapshot(decoding: sealed(forged))
                accepted += 1
                for folder in snapshot.folders {
                    folder.entries.visit { name, _ in
                        #expect(!name.contains(UInt8(ascii: "/")) && !name.elementsEqual("..".utf8), "seed \(seed)")
                    }
                }
            } catch { #expect(error.code == .invalidToken) }
        }
        #expect(accepted > 0)
        // A count that nothing bears out is not allocated for.
        let claim: [UInt8] = Array(body[..<12]) + [UInt8](repeating: 0, count: 18) + [255, 255, 255, 255]
        #expect(throws: FileCoordinationError.self) { try TreeSnapshot(decoding: sealed(claim)) }
    }
}
