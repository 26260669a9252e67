import Foundation

/// Figures of one part of the package, each beside its floor.
struct BenchmarkGroup: Sendable {
    let name: String
    /// Gets an empty directory that is removed afterwards, and the numbers of the command line.
    let run: @Sendable (_ scratch: URL, _ numbers: [Int]) async throws -> Void

    func runInScratch(_ numbers: [Int]) async throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: scratch) } catch { print("left behind: \(scratch.path)") }
        }
        print("# \(name)")
        try await run(scratch, numbers)
    }
}
