import Foundation
import TestSupport
import Testing

@testable import LLVSCore

@Suite("LLVS: sharing a folder with a device that runs it") struct LLVSDeviceTests {
    private let near = StoreBuilder()
    private let far = StoreBuilder()
    private let llvs = LLVSDouble()

    private func values(of store: Store, at version: Version.ID) throws -> [String: String] {
        var found: [String: String] = [:]
        for id in try store.valueIDs(at: version) {
            found[id.rawValue] = try store.bytes(of: id, at: version).map { Data($0).base64EncodedString() }
        }
        return found
    }

    @Test("it reads native versions as they are, and passes them on with ids that verify")
    func relay() async throws {
        let first = try near.save(["a": "1", "b": "1", "c": "1", "gone": "1"])
        let left = try near.save(["a": "2", "same": "x", "gone": nil], on: first, branch: "side")
        let right = try near.save(["b": "2", "same": "x", "new": ""], on: first, metadata: ["note": [1, 0xff]])
        let person = try near.save(["a": "3", "new": nil], on: left, and: right)
        try near.save(["c": "2"], on: right)
        let coordinator = StoreCoordinator(store: near.store, selecting: ["side"])
        _ = try await coordinator.merge()
        let (shared, other) = (try TemporaryFolder(), try TemporaryFolder())
        _ = try await FileSystemExchange(store: near.store, folder: shared.path).send()
        try llvs.retrieve(from: shared)
        for version in [first, left, right, person] {
            #expect(try llvs.values(at: version.description) == values(of: near.store, at: version))
        }
        try llvs.send(to: other)
        let report = try await FileSystemExchange(store: far.store, folder: other.path).retrieve()
        #expect(report.damaged == [] && report.waiting == [])
        #expect(try far.store.contents() == near.store.contents())
    }

    @Test("its merges and those made here settle on the same values for all")
    func settling() async throws {
        let shared = try LLVSNotes.exchangeFolder()
        let exchanges = [near, far].map { FileSystemExchange(store: $0.store, folder: shared.path) }
        let coordinators = [near, far].map { StoreCoordinator(store: $0.store, selecting: ["background-work"]) }
        for round in 0..<4 {
            for (coordinator, exchange) in zip(coordinators, exchanges) {
                try await coordinator.fetch(from: exchange)
                if round == 0 { try await coordinator.save([.insert(Value(id: "both", "\(coordinator.name)"))]) }
                _ = try await exchange.send()
            }
            try llvs.retrieve(from: shared)
            if round < 2, llvs.heads.count > 1 {
                llvs.merge(llvs.heads[0], llvs.heads[1], at: 820_000_000 + Double(round))
                try llvs.send(to: shared)
            }
        }
        let currents = try await [coordinators[0].current(), coordinators[1].current()]
        #expect(currents[0] == currents[1])
        #expect(try near.store.contents() == far.store.contents())
        #expect(try near.store.verify().isEmpty)
        let count = try near.store.versionCount()
        for (coordinator, exchange) in zip(coordinators, exchanges) {
            #expect(try await coordinator.fetch(from: exchange).imported == 0)
            #expect(try await exchange.send().sent == 0)
        }
        #expect(try near.store.versionCount() == count)
    }
}
