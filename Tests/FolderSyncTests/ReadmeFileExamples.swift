import FileCoordination
import Foundation
import Testing

/// The README's examples of FileCoordination, compiled and run in a folder that is given.
private func readmeFiles(in folder: String) async throws {
    // README files begins
    let file = CoordinatedFile()
    try file.write(Array("old".utf8), to: folder + "/notes.md")  // whole, durable, mode and owner kept

    let (bytes, state) = try file.readWithState(at: folder + "/notes.md")
    try file.writeIfUnchanged(bytes + Array(" and new".utf8), to: folder + "/notes.md", since: state)

    try await file.update(at: folder + "/count", timeout: .seconds(10)) { old in  // one at a time, in all processes
        let count = Int(String(decoding: old ?? [], as: UTF8.self)) ?? 0
        return .write(Array("\(count + 1)".utf8))
    }

    let serializer = PathSerializer()
    let size = try await serializer.enqueueThrowing(at: folder + "/notes.md") {
        try file.read(at: folder + "/notes.md").count
    }
    // README files ends
    #expect(size == 11)
    #expect(try file.read(at: folder + "/count") == Array("1".utf8))
}

private func readmeWatching(_ folder: String, _ saved: [UInt8]?) async throws -> [UInt8] {
    // README watching begins
    var options = WatchOptions()
    options.extensions = ["md", "txt"]
    options.ignoring = ["node_modules", "build/"]
    let watcher = DirectoryWatcher(folder, options: options)

    // What happened while this program was not running comes first, then everything live.
    let subscription = watcher.subscribe(since: try saved.map { try WatchToken(decoding: $0) })
    for await batch in subscription {
        for event in batch { print(event.kind, event.path) }
        let token = try await subscription.token().encoded  // keep it for the next launch
        // README watching ends
        return token
    }
    return []
}

private func readmeConflicts(in folder: String) throws {
    // README conflicts begins
    let source = SiblingConflictSource()
    for group in try source.report(at: folder).groups {
        print(group.root, group.conflicts.map { "\($0.service): \($0.confidence)" })
    }
    // README conflicts ends
}

private func readmePlaces(_ resolver: SharedFolderResolver) throws {
    // README places begins
    switch try resolver.resolve(subfolder: "MyApp") {
    case .found(let folder, let path): print("\(path), kept in sync by \(folder.service)")
    case .fellBack(let path, let why): print("\(path), kept in sync by nobody: \(why)")
    }
    // README places ends
}

extension ReadmeTests {
    @Test func theFileExamplesRun() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: directory) } catch { print("left behind: \(directory.path)") }
        }
        let folder = directory.path
        try await readmeFiles(in: folder)
        let token = try await readmeWatching(folder, nil)
        try CoordinatedFile().write([1], to: folder + "/while-off.md")
        #expect(try await !readmeWatching(folder, token).isEmpty)
        try readmeConflicts(in: folder)
        try readmePlaces(SharedFolderResolver(home: folder, environment: [:]))
    }
}
