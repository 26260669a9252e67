import Foundation

extension BenchmarkGroup {
    /// From a save on one device to the update on another, beside its parts: `live [ROUNDS]`.
    static let live = BenchmarkGroup(name: "live") { scratch, numbers in
        let place = scratch.appending(path: "live")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for line in try await LiveLatency(directory: place, rounds: numbers.first ?? 40).run() { print(line) }
    }
}
