import Foundation
import LLVSCore
import TestSupport
import Testing

@Suite("Stores: many processes", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct StorageProcessTests {
    private func make(_ kind: String, at path: String) throws -> Store {
        kind == "files" ? Store(storage: try FileStorage.create(at: path)) : try Store.create(at: path)
    }

    @Test(
        "eight processes save hundreds of versions each: nothing is lost, none waits in vain",
        arguments: LiveMachine.isPatient ? ["sqlite", "files"] : ["sqlite"])
    func manyProcesses(_ kind: String) throws {
        let directory = try LiveDirectory()
        let path = directory.path("store")
        let saver = try LiveProgram.built("LiveTestSaver")
        // Open all the time, so that what it knows has to be looked up again.
        let store = try make(kind, at: path)
        let started = Date()
        let saves = LiveMachine.isPatient ? 1_000 : 250
        let names = (1...8).map { "writer-\($0)" }
        let children = try names.map { try LiveProgram([saver, "save", kind, path, $0, "\(saves)"]) }
        for (name, child) in zip(names, children) {
            let outcome = try child.outcome()
            #expect(outcome.status == 0 && outcome.output == "done\n", "\(name): \(outcome.errors)")
        }
        print("\(kind): \(8 * saves) saves in \(Date().timeIntervalSince(started)) s")
        #expect(try store.versionCount() == 8 * saves)
        let head = try #require(try store.heads().first).id
        #expect(try store.heads().count == 1)
        #expect(try store.valueCount(at: head) == 8 * saves)
        for name in names {
            for number in [1, 2, saves / 2, saves - 1, saves] {
                #expect(try store.bytes(of: Value.ID("\(name)/\(number)"), at: head) == Array("\(number)".utf8))
            }
        }
        #expect(try store.storage.checkIntegrity() == [])
        try store.close()
    }

    @Test(
        "a writer that is killed blocks nobody and loses nothing it had acknowledged", arguments: ["sqlite", "files"])
    func killed(_ kind: String) throws {
        let directory = try LiveDirectory()
        let path = directory.path("store")
        let saver = try LiveProgram.built("LiveTestSaver")
        let store = try make(kind, at: path)
        let seed = UInt64.random(in: 1...1_000_000)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        var acknowledged: [Version.ID] = []
        let rounds = LiveMachine.isPatient ? 60 : 20
        for round in 0..<rounds {
            let child = try LiveProgram([saver, "loop", kind, path, "round-\(round)"])
            var said = child.nextOutput()
            usleep(UInt32.random(in: 0..<15_000, using: &random))
            said += child.kill()
            // The last line may be cut off.
            let ids = said.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            acknowledged += try ids.map { try Version.ID(String($0)) }
            // The store that was open all the time has them at the next read, and can write at once.
            for id in acknowledged.suffix(ids.count) { #expect(try store.contains(id), "round \(round), seed \(seed)") }
            let version = try store.makeVersion(
                basedOn: .root, changes: [.insert(Value(id: "parent", "\(round)"))])
            acknowledged.append(version.id)
        }
        for id in acknowledged { #expect(try store.contains(id), "seed \(seed)") }
        #expect(try store.verify() == [], "seed \(seed)")
        print("\(kind): \(acknowledged.count) versions acknowledged in \(rounds) rounds")
        try store.close()
    }

    @Test(
        "200,000 distinct reads stay within the stated memory",
        .enabled(if: LiveMachine.isPatient, "set FILECOORDINATION_SLOW_TESTS=1 as well"))
    func manyReads() throws {
        let directory = try LiveDirectory()
        let path = directory.path("store")
        let store = try make("sqlite", at: path)
        let body = [UInt8](repeating: 7, count: 200)
        let changes = try (0..<200_000).map {
            Value.Change.insert(Value(id: try Value.ID("contact/\($0)"), bytes: body))
        }
        _ = try store.makeVersion(basedOn: .root, changes: changes)
        try store.close()
        let child = try LiveProgram([try LiveProgram.built("LiveTestSaver"), "read", "sqlite", path])
        #expect(child.nextOutput() == "200000\n")
        let peak = try child.peakMemory()
        _ = try child.outcome()
        print("200,000 reads: \(peak) KiB")
        // The list of ids is about 20 MB of it; 4,096 nodes, 8 MB of pages and the program the rest.
        #expect(peak < 120 << 10)
    }
}
