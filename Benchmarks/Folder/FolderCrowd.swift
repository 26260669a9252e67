import FolderSync
import Foundation
import LLVSCore

/// Devices that save and sync in turn, in one folder: how many files there are after a quiet round.
struct FolderCrowd {
    let directory: URL
    let devices: Int
    let versions: Int

    func run() async throws -> [String] {
        let folder = directory.appending(path: "folder").path
        let stores = try (0..<devices).map { try Store.create(at: directory.appending(path: "store-\($0)").path) }
        let members = try stores.enumerated().map { number, store in
            let attachment = try FolderExchange.attach(store, to: folder, creating: number == 0)
            return (StoreCoordinator(store: store), FolderExchange(store: store, attachment: attachment))
        }
        for number in 0..<versions {
            let (coordinator, exchange) = members[number % devices]
            let id = try Value.ID("key-\(number % 1_000)")
            try await coordinator.save([.insert(Value(id: id, "value \(number)"))])
            _ = try await exchange.pass(coordinator)
        }
        for _ in 0..<2 { for (coordinator, exchange) in members { _ = try await exchange.pass(coordinator) } }
        let (files, bytes) = try FolderListing.sizes(of: folder)
        for store in stores { try store.close() }
        return ["\(versions) versions of \(devices) devices".padded(to: 44) + " \(files) files, \(bytes) bytes"]
    }
}
