import Foundation

extension BenchmarkGroup {
    /// What a shared folder holds after much work, and what a pass costs.
    static let folder = BenchmarkGroup(name: "folder") { scratch, numbers in
        for count in numbers.isEmpty ? [1_000, 10_000] : numbers {
            let place = scratch.appending(path: "grown-\(count)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for line in try await FolderGrowth(directory: place, versions: count).run() { print(line) }
        }
        let crowd = scratch.appending(path: "crowd")
        try FileManager.default.createDirectory(at: crowd, withIntermediateDirectories: true)
        for line in try await FolderCrowd(directory: crowd, devices: 3, versions: 10_000).run() { print(line) }
        for line in try await FolderPassBenchmark(directory: scratch, versions: 1_000).run() { print(line) }
    }
}
