import Foundation

extension BenchmarkGroup {
    /// Listing conflict copies beside reading the folder's names.
    static let conflicts = BenchmarkGroup(name: "conflicts") { scratch, numbers in
        let count = numbers.first ?? 100_000
        print("a folder of \(count) files; per name: ours, readdir and a UTF-8 check, ratio")
        for kind in ConflictBenchmark.Names.allCases {
            let folder = scratch.appending(path: kind.rawValue)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            print(try ConflictBenchmark(folder: folder.path, names: kind, count: count).run().line)
        }
    }
}
