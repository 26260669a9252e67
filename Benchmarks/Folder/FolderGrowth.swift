import FolderSync
import Foundation
import LLVSCore

/// Versions of one value each, with a sync after each: how many files that makes, and what a pass costs with them there.
struct FolderGrowth {
    let directory: URL
    let versions: Int

    func run() async throws -> [String] {
        let folder = directory.appending(path: "folder").path
        let store = try Store.create(at: directory.appending(path: "writer").path, durability: .normal)
        let coordinator = StoreCoordinator(store: store)
        let exchange = FolderExchange(
            store: store, attachment: try FolderExchange.attach(store, to: folder, creating: true))
        let clock = ContinuousClock()
        let writing = try await clock.measure {
            for number in 0..<versions {
                let id = try Value.ID("key-\(number % 1_000)")
                try await coordinator.save([.insert(Value(id: id, "value \(number)"))])
                _ = try await exchange.pass(coordinator)
            }
        }
        let quiet = try await clock.measure { _ = try await exchange.pass(coordinator) }
        let (files, bytes) = try FolderListing.sizes(of: folder)
        let idle = try await measureIdle(exchange, coordinator, folder, "writer")

        let other = try Store.create(at: directory.appending(path: "reader").path, durability: .normal)
        let onOther = StoreCoordinator(store: other)
        let reading = FolderExchange(store: other, attachment: try FolderExchange.attach(other, to: folder))
        let retrieving = try await clock.measure { _ = try await reading.pass(onOther) }
        let idleReader = try await measureIdle(reading, onOther, folder, "reader")
        let name = "\(versions) versions, a sync each"
        try store.close()
        try other.close()
        return [
            name.padded(to: 44) + " \(files) files, \(bytes) bytes, \(bytes / versions) a version",
            "a save and its pass".padded(to: 44)
                + " \((writing / .milliseconds(1) / Double(versions) * 100).rounded() / 100) ms",
            "the quiet pass".padded(to: 44) + " \((quiet / .milliseconds(1) * 100).rounded() / 100) ms",
            "a new device reads them".padded(to: 44) + " \((retrieving / .milliseconds(1)).rounded()) ms",
            idle.line, idleReader.line,
        ]
    }

    /// An idle pass beside a bare listing of the same directories, each as the mean of 50.
    private func measureIdle(
        _ exchange: FolderExchange, _ coordinator: StoreCoordinator, _ folder: String, _ who: String
    ) async throws -> Measurement {
        let clock = ContinuousClock()
        var ours: [Duration] = []
        var floors: [Duration] = []
        for _ in 0..<9 {
            ours.append(
                try await clock.measure { for _ in 0..<50 { _ = try await exchange.pass(coordinator) } })
            floors.append(clock.measure { for _ in 0..<50 { _ = FolderListing.bare(folder) } })
        }
        return Measurement(
            name: "idle pass of the \(who), a bare listing", ours: ours.sorted()[4], floor: floors.sorted()[4],
            count: 50)
    }
}
