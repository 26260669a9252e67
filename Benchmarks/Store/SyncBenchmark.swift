import FolderSync
import Foundation
import LLVSCore

/// Versions from one device to another through a folder.
struct SyncBenchmark {
    let directory: URL
    let versions: Int

    func run() async throws -> [String] {
        let folder = directory.appending(path: "folder").path
        let a = try Store.create(at: directory.appending(path: "a").path)
        let b = try Store.create(at: directory.appending(path: "b").path)
        let onA = StoreCoordinator(store: a)
        let onB = StoreCoordinator(store: b)
        let fromA = FolderExchange(store: a, attachment: try FolderExchange.attach(a, to: folder, creating: true))
        let fromB = FolderExchange(store: b, attachment: try FolderExchange.attach(b, to: folder))
        for number in 0..<versions {
            try await onA.save([.insert(Value(id: try Value.ID("key-\(number)"), "value \(number)"))])
        }
        let clock = ContinuousClock()
        let sending = try await clock.measure { _ = try await fromA.pass(onA) }
        let receiving = try await clock.measure { _ = try await fromB.pass(onB) }
        let idle = try await clock.measure { _ = try await fromB.pass(onB) }
        func each(_ duration: Duration) -> String {
            "\(((duration / .microseconds(1)) / Double(versions)).rounded()) µs"
        }
        try a.close()
        try b.close()
        return [
            "send: \(versions) versions".padded(to: 44) + " \(each(sending)) a version",
            "retrieve: \(versions) versions".padded(to: 44) + " \(each(receiving)) a version",
            "idle pass".padded(to: 44) + " \((idle / .milliseconds(1)).rounded()) ms",
        ]
    }
}
