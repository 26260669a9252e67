import TestSupport
import Testing

@testable import LLVSCore

@Suite("Exchange in memory") struct MemoryExchangeTests {
    @Test("stores that meet in a hub settle on one version, and then send nothing")
    func settling() async throws {
        let hub = MemoryExchange.Hub()
        let devices = (0..<3).map { number in
            let store = StoreBuilder().store
            return (StoreCoordinator(store: store, clock: { 1_700_000_000_000 + Int64(number) }), store, number)
        }
        let exchanges = devices.map { MemoryExchange(store: $0.1, hub: hub) }
        for (coordinator, _, number) in devices {
            try await coordinator.save([.insert(Value(id: "shared", "\(number)"))])
            try await coordinator.save([.insert(Value(id: try Value.ID("own \(number)"), "1"))])
        }
        for _ in 0..<3 {
            for (device, exchange) in zip(devices, exchanges) {
                try await device.0.fetch(from: exchange)
                _ = try await exchange.send()
            }
        }
        let currents = try await [devices[0].0.current(), devices[1].0.current(), devices[2].0.current()]
        #expect(Set(currents).count == 1)
        for (_, store, _) in devices {
            #expect(try store.valueCount(at: currents[0]) == 4)
            #expect(try store.contents() == devices[0].1.contents())
        }
        let count = hub.count
        for (device, exchange) in zip(devices, exchanges) {
            #expect(try await device.0.fetch(from: exchange).imported == 0)
            #expect(try await exchange.send().sent == 0)
        }
        #expect(hub.count == count)
    }

    @Test("LLVS's versions and values over 1 MiB travel too")
    func foreignAndLarge() async throws {
        let folder = try LLVSNotes.exchangeFolder()
        let (one, two, hub) = (StoreBuilder().store, StoreBuilder().store, MemoryExchange.Hub())
        _ = try await FileSystemExchange(store: one, folder: folder.path).retrieve()
        let large = [UInt8](repeating: 5, count: 3 << 20)
        let id = try one.makeVersion(
            basedOn: .root, changes: [.insert(Value(id: "large", content: .bytes(large)))]
        ).id
        #expect(try await MemoryExchange(store: one, hub: hub).send().sent == 32)
        #expect(try await MemoryExchange(store: two, hub: hub).retrieve().imported == 32)
        #expect(try two.contents() == one.contents())
        #expect(try two.bytes(of: "large", at: id) == large)
    }
}
