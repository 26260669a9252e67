import FileCoordination
import Foundation
import TestSupport
import Testing

@testable import LLVSCore

@Suite("LLVS: a folder in trouble") struct LLVSExchangeTroubleTests {
    private let folder: TemporaryFolder
    private let store = StoreBuilder().store

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeLLVS("root", changes: Self.insert("x", by: "root"))
    }

    private static func insert(_ id: String, by version: String, _ data: String = "AA==") -> String {
        #"[{"insert":{"id":"\#(id)","data":"\#(data)","storedVersionId":"\#(version)"}}]"#
    }

    private func exchange(_ files: any FileSystem = .local) -> FileSystemExchange {
        FileSystemExchange(store: store, folder: folder.path, files: files)
    }

    private func cut(_ name: String) throws {
        let text = try folder.text(of: name)
        try folder.write(String(text.prefix(text.count * 2 / 3)), to: name)
    }

    @Test("a folder that is used for something else is not begun in")
    func otherThings() async throws {
        let other = try TemporaryFolder()
        try other.write("mine", to: "mine.txt")
        _ = try store.makeVersion(basedOn: .root, changes: [.insert(Value(id: "mine", "1"))])
        let exchange = FileSystemExchange(store: store, folder: other.path)
        let retrieving = await #expect(throws: StoreError.self) { _ = try await exchange.retrieve() }
        let sending = await #expect(throws: StoreError.self) { _ = try await exchange.send() }
        #expect(retrieving?.code == .folderUnavailable && sending?.code == .folderUnavailable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["mine.txt"])
        try other.makeFolder("versions")
        #expect(try await exchange.send().sent == 1)
    }

    @Test("what can be admitted is, the rest is listed by file, and own versions are sent")
    func trouble() async throws {
        try folder.write("x", to: "versions/.DS_Store")
        try folder.write("x", to: "changes/desktop.ini")
        try folder.makeFolder("versions/folder")
        try folder.writeLLVS("torn", parents: ["root"], changes: "[]")
        try cut("versions/torn")
        try folder.writeLLVS("cut", parents: ["root"], changes: Self.insert("cut", by: "cut"))
        try cut("changes/cut")
        try folder.writeLLVS("late", parents: ["root"], changes: nil)
        try folder.writeLLVS("child", parents: ["missing"], changes: "[]")
        try folder.writeLLVS("whole", parents: ["root"], changes: Self.insert("whole", by: "whole"))
        let mine = try store.makeVersion(basedOn: .root, changes: [.insert(Value(id: "mine", "1"))]).id

        let report = try await exchange().retrieve()
        #expect(report.imported == 2)
        #expect(report.damaged.map(\.file) == ["versions/torn", "changes/cut"])
        #expect(report.waiting.map(\.file).sorted() == ["versions/child", "versions/cut", "versions/late"])
        #expect(report.waiting.contains { $0.reason == "it waits for the version missing" })
        #expect(report.strays == 3)
        #expect(report.isComplete)
        #expect(report.isAwaitingAnnounced)
        #expect(
            try await exchange().send()
                == {
                    var sent = LLVSReport()
                    sent.sent = 1
                    return sent
                }())
        #expect(try folder.names(in: "versions").contains(mine.description))

        try folder.writeLLVS("torn", parents: ["root"], changes: "[]")
        try folder.writeLLVS("cut", parents: ["root"], changes: Self.insert("cut", by: "cut"))
        try folder.write(Self.insert("late", by: "late"), to: "changes/late")
        try folder.writeLLVS("missing", parents: ["root"], changes: "[]")
        let healed = try await exchange().retrieve()
        #expect(healed.imported == 5)
        #expect(healed.damaged.isEmpty && healed.waiting.isEmpty && !healed.isAwaitingAnnounced)
        #expect(try store.versionCount() == 8)
    }

    @Test("conflict copies of both kinds stand in for what is missing or torn, by their content")
    func conflictCopies() async throws {
        let mark = " (Anna's conflicted copy 2024-01-31)"
        try folder.writeLLVS("one", parents: ["root"], changes: Self.insert("one", by: "one"))
        try folder.writeLLVS("two", parents: ["one"], changes: #"[{"remove":"x"}]"#)
        for name in ["versions/one", "changes/one", "changes/two"] {
            try FileManager.default.copyItem(atPath: folder(name), toPath: folder(name + mark))
            try cut(name)
        }
        // A copy of what is here adds nothing; one that names two versions stands in for none.
        try FileManager.default.copyItem(atPath: folder("versions/root"), toPath: folder("versions/root" + mark))
        try folder.write(
            Self.insert("a", by: "one").dropLast() + "," + Self.insert("b", by: "two").dropFirst(), to: "changes/mixed")
        let report = try await exchange().retrieve()
        #expect(report.imported == 3)
        #expect(report.damaged.map(\.file) == ["versions/one", "changes/one", "changes/two"])
        #expect(report.waiting.isEmpty)
        #expect(try store.valueIDs(at: Version.ID("two")) == ["one"])
    }

    @Test("a version that waits here and comes another way is in, and waits no more")
    func anotherWay() async throws {
        let whole = try TemporaryFolder()
        try whole.writeLLVS("root", changes: Self.insert("x", by: "root"))
        try whole.writeLLVS("late", parents: ["root"], changes: Self.insert("late", by: "late"))
        try folder.writeLLVS("late", parents: ["root"], changes: nil)
        #expect(try await exchange().retrieve().waiting.map(\.file) == ["versions/late"])
        #expect(try await FileSystemExchange(store: store, folder: whole.path).retrieve() == .importing(1))
        #expect(try await exchange().retrieve() == LLVSReport())
    }

    @Test("no id as they are drawn is taken for another program's file")
    func names() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let digits = random.bytes(16).map { (($0 < 16 ? "0" : "") + String($0, radix: 16)).uppercased() }
            let groups = [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
            #expect(LLVSFolder.holds(try Version.ID(groups.map { $0.joined() }.joined(separator: "-"))))
            #expect(LLVSFolder.holds(Version.ID(SHA256.hash(random.bytes(8)))))
        }
    }

    @Test("values that LLVS notes another version with, as after a revert, are taken as they are")
    func otherStoringVersion() async throws {
        try folder.writeLLVS("set", parents: ["root"], changes: Self.insert("x", by: "set", "AQ=="))
        try folder.writeLLVS(
            "reverted", parents: ["set"],
            changes: #"[{"update":{"id":"x","data":"AA==","storedVersionId":"root"}}]"#)
        #expect(try await exchange().retrieve() == .importing(3))
        #expect(try store.bytes(of: "x", at: Version.ID("reverted")) == [0])
    }

    @Test("each file is read once, though all clocks run backwards and children come before parents")
    func readOnce() async throws {
        let data = Data(repeating: 7, count: 20_000).base64EncodedString()
        func write(_ numbers: ClosedRange<Int>) throws {
            for number in numbers {
                let id = "v\(number)"
                try folder.writeLLVS(
                    id, parents: number == 1 ? ["root"] : ["v\(number - 1)"], time: 7e8 - Double(number),
                    changes: Self.insert("x\(number)", by: id, data))
            }
        }
        let files = FaultyFileSystem()
        try write(21...40)
        #expect(try await exchange(files).retrieve().imported == 1)
        try write(1...20)
        #expect(try await exchange(files).retrieve().imported == 40)
        #expect(try await exchange(files).retrieve() == LLVSReport())
        let opened = files.calls.filter { $0.name == "open" }.map(\.path)
            .filter { !$0.hasSuffix("/versions") && !$0.hasSuffix("/changes") }
        #expect(opened.count == 82)
        #expect(Set(opened).count == 82)
    }

    @Test(
        "metadata of any shape is kept and sent on",
        arguments: [
            #"["__llvs_branch",{"data":"MTI="},"unknown",{"data":"bnVsbA=="}]"#,
            #"["__llvs_branch",{"data":"bm90IGpzb24="}]"#,
            #"["__llvs_branch",{"data":"not base64!"},"odd"]"#,
            #"["llvs.branch",{"data":"//4="},"llvs.timestamp",{"data":"AA=="}]"#,
            #"{"an":"object","with":[1,2.5,null,true]}"#, #""text""#, "null", "[1,2]",
        ])
    func metadata(_ json: String) async throws {
        try folder.writeLLVS("odd", parents: ["root"], metadata: json, changes: "[]")
        #expect(try await exchange().retrieve() == .importing(2))
        #expect(try store.version(Version.ID("odd")).branch == nil)
        let relay = try TemporaryFolder()
        _ = try await FileSystemExchange(store: store, folder: relay.path).send()
        let other = StoreBuilder().store
        #expect(try await FileSystemExchange(store: other, folder: relay.path).retrieve() == .importing(2))
        #expect(try other.contents() == store.contents())
    }

    @Test("a megabyte of metadata is kept")
    func largeMetadata() async throws {
        let note = Data(repeating: UInt8(ascii: "1"), count: 1 << 20)
        let json = "[\"note\",{\"data\":\"\(note.base64EncodedString())\"}]"
        try folder.writeLLVS("large", parents: ["root"], metadata: json, changes: "[]")
        #expect(try await exchange().retrieve() == .importing(2))
        #expect(try store.version(Version.ID("large")).metadata["note"] == [UInt8](note))
    }

    @Test("an id that is no file name stays at home, with what builds on it, and the others are sent")
    func unsendable() async throws {
        try folder.write(#"{"version":{"identifier":"a/../b","timestamp":1,"metadata":[]}}"#, to: "versions/odd")
        try folder.write(Self.insert("v", by: "a/../b"), to: "changes/odd")
        try folder.writeLLVS("child", parents: ["a/../b"], changes: "[]")
        #expect(try await exchange().retrieve().imported == 3)
        let relay = try TemporaryFolder()
        let report = try await FileSystemExchange(store: store, folder: relay.path).send()
        #expect(report.sent == 1)
        #expect(Set(report.unsendable.map(\.file)) == ["versions/a/../b", "versions/child"])
        #expect(try relay.names(in: "versions") == ["root"])
        #expect(try relay.names() == ["changes", "versions"])
    }

    @Test("own files that are lost or cut are written again; a folder that was emptied stops both directions")
    func restoring() async throws {
        let first = try store.makeVersion(basedOn: .root, changes: [.insert(Value(id: "mine", "1"))]).id
        let second = try store.makeVersion(basedOn: first, changes: [.insert(Value(id: "more", "1"))]).id
        _ = try await exchange().retrieve()
        #expect(try await exchange().send().sent == 2)
        let before = try folder.text(of: "changes/\(first)")
        try cut("changes/\(first)")
        try FileManager.default.removeItem(atPath: folder("versions/\(second)"))
        let report = try await exchange().send()
        #expect(report.restored == 1 && report.sent == 1)
        #expect(try folder.text(of: "changes/\(first)") == before)
        #expect(try await exchange().send() == LLVSReport())

        for name in ["versions", "changes"] { try FileManager.default.removeItem(atPath: folder(name)) }
        let exchange = exchange()
        await #expect(throws: StoreError.self) { try await exchange.retrieve() }
        await #expect(throws: StoreError.self) { try await exchange.send() }
        #expect(try folder.names().isEmpty)
    }

    @Test("whatever order files come in, the same versions are there in the end", arguments: [1, 2, 3] as [UInt64])
    func anyOrder(_ seed: UInt64) async throws {
        let (whole, folder) = (try LLVSNotes.exchangeFolder(), try TemporaryFolder())
        let store = StoreBuilder().store
        var random = SeededRandom(seed: seed)
        var files = try ["versions", "changes"].flatMap { kind in
            try folder.makeFolder(kind)
            return try whole.names(in: kind).map { "\(kind)/\($0)" }
        }
        files.shuffle(using: &random)
        let exchange = FileSystemExchange(store: store, folder: folder.path)
        for (number, file) in files.enumerated() {
            try FileManager.default.copyItem(atPath: whole(file), toPath: folder(file))
            if number.isMultiple(of: 6) { #expect(try await exchange.retrieve().damaged.isEmpty) }
        }
        _ = try await exchange.retrieve()
        try LLVSNotes.expect(in: store)
    }

    @Test("bytes changed at random are damage or another version, never a trap", arguments: [1, 2] as [UInt64])
    func fuzz(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        try folder.writeLLVS("two", parents: ["root"], metadata: #"["k",{"data":"MQ=="}]"#, changes: "[]")
        let names = ["versions/root", "changes/root", "versions/two"]
        let texts = try names.map { Array(try folder.text(of: $0).utf8) }
        for _ in 0..<60 {
            for (name, text) in zip(names, texts) {
                var bytes = text
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    let at = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[at] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : UInt8(ascii: "\"")
                }
                try Data(bytes).write(to: URL(fileURLWithPath: folder(name)))
            }
            let store = StoreBuilder().store
            let report = try await FileSystemExchange(store: store, folder: folder.path).retrieve()
            #expect(try report.imported == store.versionCount())
            #expect(try store.verify().isEmpty)
        }
    }
}
