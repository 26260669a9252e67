import FileCoordination
import Foundation

extension BenchmarkGroup {
    /// Atomic writes beside the bare calls, in memory and on the disk of the scratch folder.
    static let write = BenchmarkGroup(name: "write") { scratch, numbers in
        let count = numbers.first ?? 200
        var places = [("disk", scratch.path)]
        let memory = "/dev/shm/benchmarks-\(UUID().uuidString)"
        if FileManager.default.isWritableFile(atPath: "/dev/shm") {
            try FileManager.default.createDirectory(atPath: memory, withIntermediateDirectories: false)
            places.insert(("memory", memory), at: 0)
        }
        defer {
            do { try FileManager.default.removeItem(atPath: memory) } catch {}
        }
        print("1 KiB, \(count) files a round".padded(to: 44), "ours".padded(to: 14), "bare".padded(to: 14), "ratio")
        for (name, folder) in places { try WritingBenchmark(name, in: folder, count: count).run() }
    }
}
