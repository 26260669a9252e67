import Foundation

extension BenchmarkGroup {
    /// The store and the exchange beside raw SQLite.
    static let store = BenchmarkGroup(name: "store") { scratch, numbers in
        let keys = numbers.first ?? 100_000
        print("\(keys) keys of 36 bytes, bodies of 200 bytes; per item: ours, raw SQLite, ratio")
        for measurement in try StoreBenchmark(directory: scratch, keys: keys).run() { print(measurement.line) }
        let snapshots = try SnapshotBenchmark(directory: scratch, keys: keys).run()
        for measurement in snapshots { print(measurement.line) }
        for line in try await SyncBenchmark(directory: scratch, versions: 1_000).run() { print(line) }
    }
}
