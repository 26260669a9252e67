import FileCoordination
import FolderSync
import Foundation
import LLVSCore

/// Two devices that follow one folder of the same disk: how long after a save begins the other one's app is told, beside what
/// must happen in between, each measured alone: commit, publish, watch, retrieve, commit.
struct LiveLatency {
    let directory: URL
    let rounds: Int

    private struct Device {
        let coordinator: StoreCoordinator
        let exchange: FolderExchange

        init(_ name: String, in directory: URL, _ folder: String, creating: Bool) throws {
            let store = try Store.create(at: directory.appending(path: name).path, durability: .normal)
            coordinator = StoreCoordinator(store: store)
            exchange = FolderExchange(
                store: store, attachment: try FolderExchange.attach(store, to: folder, creating: creating))
        }

        func save(_ number: Int) async throws {
            let id = try Value.ID("key-\(number)")
            try await coordinator.save([.insert(Value(id: id, "value \(number)"))])
        }
    }

    func run() async throws -> [String] {
        let parts = try await alone() + [("watch", try await watching())]
        let sum = parts.map { $0.1.sorted()[rounds / 2] }.reduce(.zero, +)
        let whole = try await followed().sorted()
        let names = parts.map { "\($0.0) \(Self.text($0.1.sorted()[rounds / 2]))" }.joined(separator: ", ")
        return [
            "parts alone, medians".padded(to: 44) + " " + names,
            Measurement(name: "save to update, sum of parts", ours: whole[rounds / 2], floor: sum, count: 1).line,
            "save to update, p90".padded(to: 44) + " " + Self.text(whole[rounds * 9 / 10]),
        ]
    }

    private static func text(_ duration: Duration) -> String { "\(Int(duration / .microseconds(1))) µs" }

    private func alone() async throws -> [(String, [Duration])] {
        let folder = directory.appending(path: "alone").path
        let a = try Device("alone-a", in: directory, folder, creating: true)
        let b = try Device("alone-b", in: directory, folder, creating: false)
        let clock = ContinuousClock()
        var times: [[Duration]] = [[], [], [], []]
        for number in 0..<rounds {
            times[0].append(try await clock.measure { try await a.save(number) })
            times[1].append(try await clock.measure { _ = try await a.exchange.send() })
            times[2].append(try await clock.measure { _ = try await b.exchange.retrieve() })
            times[3].append(try await clock.measure { _ = try await b.coordinator.merge() })
        }
        return Array(zip(["commit", "publish", "retrieve", "commit there"], times))
    }

    /// From a rename into place to the watcher's word.
    private func watching() async throws -> [Duration] {
        let folder = directory.appending(path: "watched").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let watcher = DirectoryWatcher(folder)
        defer { watcher.stop() }
        var changes = watcher.changes.makeAsyncIterator()
        await watcher.start()
        let clock = ContinuousClock()
        var times: [Duration] = []
        for number in 0..<rounds {
            try await Task.sleep(for: .milliseconds(300))
            let file = CoordinatedFile(temporaryFolder: directory.path)
            let path = "\(folder)/e-\(number).llvs"
            let prepared = directory.appending(path: "prepared-\(number)").path
            try file.write([1, 2, 3], to: prepared)
            times.append(
                try await clock.measure {
                    try FileManager.default.moveItem(atPath: prepared, toPath: path)
                    _ = await changes.next()
                })
        }
        return times
    }

    private func followed() async throws -> [Duration] {
        let folder = directory.appending(path: "followed").path
        let a = try Device("followed-a", in: directory, folder, creating: true)
        let b = try Device("followed-b", in: directory, folder, creating: false)
        let services = [a, b].map { FolderSyncService(coordinator: $0.coordinator, exchange: $0.exchange) }
        let running = services.map { service in Task { try await service.run() } }
        defer { for task in running { task.cancel() } }
        var updates = b.coordinator.updates().makeAsyncIterator()
        while services.contains(where: { $0.connection != .following }) { try await Task.sleep(for: .milliseconds(10)) }
        _ = try await updates.next()
        let clock = ContinuousClock()
        var times: [Duration] = []
        for number in 0..<rounds {
            // So that the passes that follow their own files are over.
            try await Task.sleep(for: .milliseconds(700))
            let id = try Value.ID("key-\(number)")
            times.append(
                try await clock.measure {
                    try await a.save(number)
                    while let update = try await updates.next() {
                        if case .named(let ids) = update.changes, ids.contains(id) { break }
                    }
                })
        }
        return times
    }
}
