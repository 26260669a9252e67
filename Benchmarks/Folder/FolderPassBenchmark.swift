import FolderSync
import Foundation
import LLVSCore

/// Versions in one pass, beside making them in a store of the same kind.
struct FolderPassBenchmark {
    let directory: URL
    let versions: Int

    func run() async throws -> [String] {
        var lines: [String] = []
        var sending: [Duration] = []
        var retrieving: [Duration] = []
        var saving: [Duration] = []
        let clock = ContinuousClock()
        for round in 0..<5 {
            let place = directory.appending(path: "round-\(round)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let folder = place.appending(path: "folder").path
            let stores = try ["a", "b"].map {
                try Store.create(at: place.appending(path: $0).path, durability: .normal)
            }
            let attachments = try stores.enumerated().map { number, store in
                try FolderExchange.attach(store, to: folder, creating: number == 0)
            }
            let exchanges = zip(stores, attachments).map { FolderExchange(store: $0, attachment: $1) }
            saving.append(
                try clock.measure {
                    var current = Version.ID.root
                    for number in 0..<versions {
                        let change = Value.Change.insert(Value(id: try Value.ID("key-\(number)"), "value \(number)"))
                        current = try stores[0].makeVersion(basedOn: current, changes: [change]).id
                    }
                })
            sending.append(try await clock.measure { _ = try await exchanges[0].send() })
            retrieving.append(try await clock.measure { _ = try await exchanges[1].retrieve() })
            for store in stores { try store.close() }
        }
        for (name, ours) in [("send", sending), ("retrieve", retrieving)] {
            lines.append(
                Measurement(
                    name: "\(name): \(versions) versions, saving them", ours: ours.sorted()[2],
                    floor: saving.sorted()[2], count: versions
                ).line)
        }
        return lines
    }
}
