import FolderSync
import Foundation
import LLVSCore
import TestSupport
import Testing

/// The README's example, compiled and run; only its paths are put below `directory`.
private func readmeExample(in directory: String) async throws {
    // README example begins
    let store = try Store.openOrCreate(at: directory + "/notes.store")
    let attachment = try FolderExchange.attach(store, to: directory + "/Shared Notes", creating: true)
    let coordinator = StoreCoordinator(store: store)

    let seen = try await coordinator.current()
    try await coordinator.save([.insert(Value(id: "shopping/milk", "2 litres"))], basedOn: seen)

    let exchange = FolderExchange(store: store, attachment: attachment)
    let outcome = try await exchange.pass(coordinator)  // retrieve, merge, send: once
    print(outcome.report.imported, "in,", outcome.report.sent, "out")

    for id in try store.valueIDs(at: outcome.current, prefix: "shopping/") {
        let bytes = try store.bytes(of: id, at: outcome.current) ?? []
        print(id, "=", String(decoding: bytes, as: UTF8.self))
    }
    // README example ends
}

/// The example of a running service, as far as it goes until the service is in step.
private func serviceExample(_ coordinator: StoreCoordinator, _ exchange: FolderExchange) async throws {
    // README service begins
    let service = FolderSyncService(coordinator: coordinator, exchange: exchange)
    let running = Task { try await service.run() }  // until it is cancelled
    for try await update in coordinator.updates() {  // first: everything; then what changed, however slow this loop is
        switch update.changes {
        case .everything: print("read everything at", update.version)
        case .named(let ids): print("read", ids, "at", update.version)
        }
        print(update.connection)  // connecting, following, offline(reason, retryAfter), needsBootstrap, stopped
        // README service ends
        if update.connection == .following { break }
    }
    running.cancel()
    try await running.value
}

// README arbiter begins
struct KeepBoth: MergeArbiter {
    func changes(toResolve merge: Merge) throws -> [Value.Change] {
        try merge.conflicts.map { id in
            guard let first = try merge.content(id, on: .first) else { return try merge.keeping(.second, of: id) }
            guard let second = try merge.content(id, on: .second) else { return try merge.keeping(.first, of: id) }
            return .update(Value(id: id, bytes: try first.allBytes() + Array("\n".utf8) + second.allBytes()))
        }
    }
}
// README arbiter ends

@Suite("README")
struct ReadmeTests {
    private static func lines(of url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    }

    /// The lines of this file between two marks.
    private static func compiled(_ mark: String, in file: String = #filePath) throws -> [String] {
        let lines = try lines(of: URL(fileURLWithPath: file))
        return Array(
            lines.drop { !$0.contains("// README \(mark) begins") }.dropFirst()
                .prefix { !$0.contains("// README \(mark) ends") })
    }

    /// As they stand at the margin.
    private static func outdented(_ lines: [String]) -> [String] {
        lines.map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : $0 }
    }

    /// The lines of the README's Swift blocks.
    private static func shown() throws -> [[String]] {
        let file = URL(fileURLWithPath: #filePath)
        let readme = file.deletingLastPathComponent().appending(path: "../../README.md").standardized
        var rest = try lines(of: readme)[...]
        var blocks: [[String]] = []
        while true {
            rest = rest.drop { $0 != "```swift" }.dropFirst()
            if rest.isEmpty { return blocks }
            blocks.append(Array(rest.prefix { $0 != "```" }))
        }
    }

    @Test func theExamplesAreThoseThatAreCompiledHere() throws {
        let blocks = try Self.shown()
        let marks = ["files", "watching", "conflicts", "places"]
        try #require(blocks.count == 3 + marks.count)
        let example = Self.outdented(try Self.compiled("example"))
            .map { $0.replacingOccurrences(of: "directory + \"/", with: "\"") }
        #expect(
            blocks[0].filter { !$0.hasPrefix("import ") && !$0.hasPrefix("//") }.drop(while: \.isEmpty) == example[...])
        let service = Self.outdented(try Self.compiled("service"))
        #expect(blocks[1].starts(with: service) && blocks[1].count == service.count + 1)
        #expect(try blocks[2] == Self.compiled("arbiter"))
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let others = folder.appending(path: "ReadmeFileExamples.swift")
        for (mark, block) in zip(marks, blocks.dropFirst(3)) {
            let compiled = Self.outdented(try Self.compiled(mark, in: others.path))
                .map { $0.replacingOccurrences(of: "try resolver.", with: "try SharedFolderResolver().") }
            // A loop that the test leaves early is closed in the README.
            #expect(block.starts(with: compiled), "README block '\(mark)'")
            #expect(block.count <= compiled.count + 1)
        }
    }

    @Test func theArbiterKeepsBothSidesOfAConflict() async throws {
        let store = Store(storage: MemoryStorage())
        let coordinator = StoreCoordinator(store: store, arbiter: KeepBoth())
        try await coordinator.save([.insert(Value(id: "list", "milk"))], basedOn: .root)
        try await coordinator.save([.insert(Value(id: "list", "bread"))], basedOn: .root)
        let bytes = try store.bytes(of: "list", at: try await coordinator.current()) ?? []
        #expect(Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n")) == ["milk", "bread"])
    }

    @Test func theExampleRuns() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: directory) } catch { print("left behind: \(directory.path)") }
        }
        try await readmeExample(in: directory.path)
        try await readmeExample(in: directory.appending(path: ".").path)
        #expect(try FolderVerification(of: directory.path + "/Shared Notes").versions == 1)
    }

    @Test(.timeLimit(.minutes(20))) func theServiceOfTheExampleFollows() async throws {
        let directory = try TemporaryFolder()
        let store = Store(storage: MemoryStorage())
        let attachment = try FolderExchange.attach(store, to: directory.path, creating: true)
        try await serviceExample(
            StoreCoordinator(store: store), FolderExchange(store: store, attachment: attachment))
    }
}
