import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// What a reader remembers of files that are gone.
@Suite("Memory of files that are gone")
struct ForgottenFilesTests {
    private func noted(_ device: SimulatedFolderDevice) throws -> Set<String> {
        try device.store.inspect { view in
            var paths: Set<String> = []
            let zones = ExchangeZones(lane: device.exchange.attachment.lane)
            try zones.scan(ExchangeZones.taken, in: view.reader) { key, _ in
                paths.insert(String(decoding: key, as: UTF8.self))
                return true
            }
            return paths
        }
    }

    @Test func aReaderForgetsFilesThatLargerOnesStandInForAndBearsTheirReturn() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try SimulatedFolderDevice("a", replica: directory + "/folder", creating: true, seed: 1)
            let b = try SimulatedFolderDevice("b", replica: directory + "/folder", seed: 2)
            for _ in 0..<15 {
                try await a.publish(1)
                try await b.pass()
            }
            let old = try a.entries()
            let bytes = try #require(try a.replica.read(old[3]))
            #expect(try noted(b) == Set(old) && old.count == 15)
            try await a.publish(1)
            try await b.pass()
            _ = try await a.exchange.send()
            #expect(try a.entries().count == 1)
            try await b.pass()
            #expect(try noted(b) == Set(a.entries()))
            // One comes back: it adds nothing, its owner takes it away, and it is forgotten again.
            try a.replica.write(bytes, to: old[3])
            let back = try await b.pass().report
            #expect(back.imported == 0 && back.duplicates == 1 && back.damaged.isEmpty)
            #expect(try await b.pass().report.imported == 0)
            for _ in 0..<2 { try await a.pass() }
            #expect(try a.entries().count == 1)
            try await b.pass()
            #expect(try noted(b) == Set(a.entries()))
            // What nothing stands in for stays noted.
            let packed = try #require(try a.entries().first)
            try a.replica.remove(packed)
            try await b.pass()
            #expect(try noted(b) == [packed])
        }
    }
}
