import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// A reader that knows nothing of packing: it goes by stretches of files as they are, and by names that it has taken.
private struct PlainReader {
    private(set) var admitted: [Version.ID] = []
    private var pending: [Version.ID: [Version.ID]] = [:]
    private var taken: Set<String> = []
    private var ranges: [LaneID: [(before: LaneChain, after: LaneChain)]] = [:]

    mutating func read(_ tree: SimulatedFolderTree) throws {
        for path in try tree.list() where path.contains("/e-") && !taken.contains(path) {
            guard let bytes = try tree.read(path), let file = EntriesFile.decode(bytes).verified else { continue }
            ranges[file.lane, default: []].append((file.header.before, file.header.after))
            for entry in file.entries where !admitted.contains(entry.record.id) {
                pending[entry.record.id] = entry.record.version.parents
            }
            taken.insert(path)
        }
        while let ready = pending.first(where: { $0.value.allSatisfy(admitted.contains) }) {
            admitted.append(ready.key)
            pending[ready.key] = nil
        }
    }

    func end(of lane: LaneID, in store: StoreIdentity) -> UInt64 {
        LaneKnowledge.end(from: LaneChain(startOf: lane, in: store)) { end in
            (ranges[lane] ?? []).filter { $0.before == end }.map(\.after)
        }.sequence
    }
}

@Suite struct PackedFolderReaderTests {
    @Test(arguments: [1, 13]) func aReaderThatKnowsNothingOfPackingHasEverythingOnce(every step: Int)
        async throws
    {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try SimulatedFolderDevice("a", replica: directory + "/folder", creating: true, seed: 1)
            var reader = PlainReader()
            for number in 1...40 {
                try await a.publish(1)
                if number.isMultiple(of: step) { try reader.read(a.replica) }
            }
            _ = try await a.exchange.send()
            try reader.read(a.replica)
            let store = try #require(try FolderExchange.identity(of: a.store))
            #expect(reader.end(of: a.exchange.attachment.lane, in: store) == 40)
            #expect(reader.admitted.count == 40 && Set(reader.admitted) == Set(a.acknowledged))
        }
    }
}
