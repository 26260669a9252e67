import Foundation
public import LLVSCore

extension StorageKind {
    /// Runs `body` with a new store over a storage of this kind, seen through `wrap`, and removes it afterwards.
    public func withBuilder<Result>(
        wrapping wrap: (any Storage) -> any Storage = { $0 }, _ body: (StoreBuilder) async throws -> Result
    ) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("builder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer {
            do {
                try FileManager.default.removeItem(at: directory)
            } catch {
                print("A test's directory stays behind: \(error)")
            }
        }
        let storage = try make(in: directory.path)
        let result = try await body(StoreBuilder(wrap(storage)))
        try storage.close()
        return result
    }
}
