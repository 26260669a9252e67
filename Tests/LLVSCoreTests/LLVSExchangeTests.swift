import FileCoordination
import Foundation
import TestSupport
import Testing

@testable import LLVSCore

@Suite("LLVS: exchange through its folder") struct LLVSExchangeTests {
    @Test("what LLVS wrote is read as LLVS reads it", arguments: StorageKind.allCases)
    func reading(_ kind: StorageKind) async throws {
        let folder = try LLVSNotes.exchangeFolder()
        try await kind.withBuilder { builder in
            let exchange = FileSystemExchange(store: builder.store, folder: folder.path)
            let report = try await exchange.retrieve()
            #expect(report.imported == 31)
            #expect(report == LLVSReport.importing(31))
            try LLVSNotes.expect(in: builder.store)
            #expect(try await exchange.retrieve() == LLVSReport())
            #expect(try await exchange.send() == LLVSReport())
        }
    }

    @Test("sent on to another folder, LLVS's versions are the same to the last bit")
    func relaying() async throws {
        let (folder, relay) = (try LLVSNotes.exchangeFolder(), try TemporaryFolder())
        let (one, two) = (StoreBuilder().store, StoreBuilder().store)
        _ = try await FileSystemExchange(store: one, folder: folder.path).retrieve()
        #expect(try await FileSystemExchange(store: one, folder: relay.path).send().sent == 31)
        #expect(try await FileSystemExchange(store: two, folder: relay.path).retrieve() == .importing(31))
        #expect(try two.contents() == one.contents())
        try LLVSNotes.expect(in: two)
    }

    @Test("native versions, merges and joins go through the folder and keep their ids, kinds and metadata")
    func nativeVersions() async throws {
        let one = StoreBuilder()
        let odd: [Value.ID: String?] = ["a/b": "1", "\u{0}\n": "", "e\u{301}": "de", "\u{e9}": "composed", "🚀": "x"]
        let first = try one.save(odd, metadata: ["note": [0, 255], "title": [UInt8]("\"text\"".utf8)])
        let left = try one.save(["a/b": "2", "🚀": nil], on: first, branch: "side")
        let right = try one.save(["a/b": "3", "e\u{301}": nil], on: first)
        let person = try one.save(["a/b": "4"], on: left, and: right)
        try one.save(["late": "1"], on: right)
        let coordinator = StoreCoordinator(store: one.store, selecting: ["side"])
        _ = try await coordinator.merge()
        let folder = try TemporaryFolder()
        let sent = try await FileSystemExchange(store: one.store, folder: folder.path).send().sent
        #expect(try sent == one.store.versionCount())
        let two = StoreBuilder()
        #expect(try await FileSystemExchange(store: two.store, folder: folder.path).retrieve() == .importing(sent))
        #expect(try two.store.contents() == one.store.contents())
        #expect(try two.store.version(person).parents == [left, right].sorted())
        #expect(try two.store.version(first).metadata["note"] == [0, 255])
        #expect(try two.store.version(left).branch == "side")
    }

    @Test("a store merges LLVS's heads, and another one comes to the same")
    func merging() async throws {
        let folder = try LLVSNotes.exchangeFolder()
        var results: [[Digest]] = []
        var outcomes: [Version.ID] = []
        for _ in 0..<2 {
            let store = StoreBuilder().store
            let exchange = FileSystemExchange(store: store, folder: folder.path)
            let coordinator = StoreCoordinator(store: store, selecting: ["background-work"])
            try await coordinator.fetch(from: exchange)
            try await coordinator.save([.insert(Value(id: "mine", "same"))])
            _ = try await exchange.send()
            _ = try await coordinator.fetch(from: exchange)
            outcomes.append(try await coordinator.current())
            results.append([try store.digest(at: try await coordinator.current())])
        }
        #expect(results[0] == results[1])
        #expect(outcomes.allSatisfy { $0 != .root })
    }

    @Test(
        "what LLVS sees of a native version: predecessors in its order, branch, changes, and the bytes that prove the id"
    )
    func format() async throws {
        let one = StoreBuilder()
        let first = try one.save(["a": "1"], at: 1_700_000_000_123)
        let second = try one.save(["a": "2"], on: first, branch: "side")
        let folder = try TemporaryFolder()
        _ = try await FileSystemExchange(store: one.store, folder: folder.path).send()
        let version = try folder.json("versions/\(second)", in: "version")
        #expect(version["identifier"] as? String == second.description)
        #expect(version["predecessors"] as? [String: String] == ["idOfFirst": first.description])
        let metadata = try #require(version["metadata"] as? [Any])
        #expect(metadata.count == 4)
        #expect(metadata[0] as? String == "__llvs_branch")
        #expect(metadata[1] as? [String: String] == ["data": Data("\"side\"".utf8).base64EncodedString()])
        #expect(try folder.json("versions/\(first)", in: "version")["timestamp"] as? Double == 721_692_800.123)
        #expect(
            try folder.text(of: "changes/\(second)")
                == #"[{"update":{"data":"Mg==","id":"a","storedVersionId":"\#(second)"}}]"#)
        #expect(version["valueDataSize"] as? Int == 1)
        #expect(try folder.names() == ["changes", "versions"])
    }

    @Test("under a native id, other content is refused, whatever carries it")
    func forgery() async throws {
        let one = StoreBuilder()
        let first = try one.save(["a": "1"])
        let folder = try TemporaryFolder()
        _ = try await FileSystemExchange(store: one.store, folder: folder.path).send()
        let text = try folder.text(of: "changes/\(first)")
        try folder.write(text.replacingOccurrences(of: "MQ==", with: "Mg=="), to: "changes/\(first)")
        let two = StoreBuilder().store
        let report = try await FileSystemExchange(store: two, folder: folder.path).retrieve()
        #expect(report.imported == 0)
        #expect(report.damaged.map(\.file) == ["versions/\(first)"])
        #expect(try two.versionCount() == 0)
    }

    @Test("of a foreign id the first content seen is kept, and other content is reported")
    func pinning() async throws {
        let folder = try LLVSNotes.exchangeFolder()
        let store = StoreBuilder().store
        let exchange = FileSystemExchange(store: store, folder: folder.path)
        _ = try await exchange.retrieve()
        let before = try store.contents()
        let file = "versions/C536E111-AC9D-4A87-A981-F66120D485D6"
        let text = try folder.text(of: file)
        try folder.write(text.replacingOccurrences(of: "\"timestamp\":8", with: "\"timestamp\":7"), to: file)
        let report = try await exchange.retrieve()
        #expect(report.damaged.map(\.file) == [file])
        #expect(report.damaged.first?.reason.contains("known with other content") == true)
        #expect(try store.contents() == before)
    }

    @Test("a foreign version's stamp is its clock, brought into reason, or one tick after its parents'")
    func stamps() async throws {
        let folder = try TemporaryFolder()
        try folder.writeLLVS("A", time: -1e15, changes: #"[{"insert":{"id":"x","data":"AA=="}}]"#)
        try folder.writeLLVS("B", parents: ["A"], time: 1e30, changes: "[]")
        try folder.writeLLVS("C", parents: ["B"], time: 0, changes: #"[{"remove":"x"}]"#)
        let store = StoreBuilder().store
        #expect(try await FileSystemExchange(store: store, folder: folder.path).retrieve() == .importing(3))
        let stamps = try ["A", "B", "C"].map { try store.version(Version.ID($0)).stamp }
        #expect(stamps[0] == Stamp(milliseconds: Stamp.believedMilliseconds.lowerBound))
        #expect(stamps[1] == Stamp(milliseconds: Stamp.believedMilliseconds.upperBound))
        #expect(stamps[2] == stamps[1].next)
        #expect(try store.valueCount(at: Version.ID("C")) == 0)
    }
}

extension LLVSReport {
    /// A report of so many imported versions and nothing else.
    static func importing(_ count: Int) -> LLVSReport {
        var report = LLVSReport()
        report.imported = count
        return report
    }
}

extension TemporaryFolder {
    /// An object in a JSON file.
    func json(_ name: String, in key: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(try text(of: name).utf8)) as? [String: Any]
        return try #require(object?[key] as? [String: Any])
    }

    /// The two files of a version as LLVS writes them; nil leaves one out.
    func writeLLVS(
        _ id: String, parents: [String] = [], time: Double = 700_000_000, metadata: String = "[]", changes: String?
    ) throws {
        try makeFolder("versions")
        try makeFolder("changes")
        let names = zip(["idOfFirst", "idOfSecond"], parents).map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
        let predecessors = parents.isEmpty ? "" : "\"predecessors\":{\(names)},"
        try write(
            #"{"version":{"identifier":"\#(id)",\#(predecessors)"timestamp":\#(time),"metadata":\#(metadata)}}"#,
            to: "versions/\(id)")
        if let changes { try write(changes, to: "changes/\(id)") }
    }
}
