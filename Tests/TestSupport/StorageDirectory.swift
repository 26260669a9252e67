import Foundation

/// Runs `body` with the path of an empty directory, absolute and without links, which is removed afterwards.
public func withStorageDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appendingPathComponent("storage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            print("A test's directory stays behind: \(error)")
        }
    }
    return try body(directory.path)
}
