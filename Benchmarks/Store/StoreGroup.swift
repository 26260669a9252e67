import Foundation

extension BenchmarkGroup {
    /// The store and the exchange beside raw SQLite.
    static let store = BenchmarkGroup(name: "store") { scratch, numbers in
        let keys = numbers.first ?? 100_000
        print("\(keys) keys of 36 bytes, bodies of 200 bytes; per item: ours, raw SQLite, ratio")
        try await StoreBenchmark(directory: scratch, keys: keys).run { print($0) }
        for measurement in try SnapshotBenchmark(directory: scratch, keys: keys).run() { print(measurement.line) }
        for line in try await SyncBenchmark(directory: scratch, versions: 1_000).run() { print(line) }
    }

    /// Snapshots alone.
    static let snapshot = BenchmarkGroup(name: "snapshot") { scratch, numbers in
        for measurement in try SnapshotBenchmark(directory: scratch, keys: numbers.first ?? 100_000).run() {
            print(measurement.line)
        }
    }

    /// Long histories beside raw SQLite.
    static let history = BenchmarkGroup(name: "history") { scratch, numbers in
        let versions = numbers.first ?? 100_000
        print("\(versions) versions of one value; per item: ours, raw SQLite, ratio")
        try HistoryBenchmark(directory: scratch, versions: versions).run { print($0) }
    }
}
