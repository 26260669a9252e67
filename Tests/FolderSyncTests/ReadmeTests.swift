import FolderSync
import Foundation
import LLVSCore
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

@Suite("README")
struct ReadmeTests {
    private static func lines(of url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    }

    /// The example as this file has it and as the README shows it.
    @Test func theExampleIsTheOneThatIsCompiledHere() throws {
        let file = URL(fileURLWithPath: #filePath)
        let readme = file.deletingLastPathComponent().appending(path: "../../README.md").standardized
        let compiled = try Self.lines(of: file).drop { !$0.contains("README example begins") }.dropFirst()
            .prefix { !$0.contains("README example ends") }
            .map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : $0 }
            .map { $0.replacingOccurrences(of: "directory + \"/", with: "\"") }
        let shown = try Self.lines(of: readme).drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }
            .filter { !$0.hasPrefix("//") && !$0.hasPrefix("import ") }
        #expect(shown.drop(while: \.isEmpty) == compiled[...])
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
}
