import FolderSync
import Foundation
import LLVSCore
import TestSupport
import Testing

/// Clocks that are wrong, and stores that exist twice.
@Suite struct TimeCases {
    @Test func whatIsCausallyLaterWinsHoweverFarAheadAClockIs() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true, clocksOffBy: [SimulatedFolderClock.fiftyYears]) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "by a, fifty years ahead")
            try await a.pass()
            a.clock.advance(-SimulatedFolderClock.fiftyYears)
            try await b.pass()
            try await b.save("k", "by b, who has seen it")
            try await b.pass()
            try await a.pass()
            #expect(try a.text("k") == "by b, who has seen it")
            try await a.save("k", "by a, who has seen that")
            try await group.settle()
            for device in group.devices { #expect(try device.text("k") == "by a, who has seen that") }
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func concurrentEditsWithClocksFiftyYearsApartAreDecidedAlikeAndNotByTheClock() async throws {
        for offset in [SimulatedFolderClock.fiftyYears, -SimulatedFolderClock.fiftyYears] {
            try await SimulatedFolderGroup.with(2, sharing: true, clocksOffBy: [offset]) { group in
                let (a, b) = (group.devices[0], group.devices[1])
                try await a.save("k", "by a")
                // The longer history counts where clocks cannot be compared.
                try await b.save("other", "x")
                try await b.save("k", "by b")
                try await group.settle()
                for device in group.devices { #expect(try device.text("k") == "by b") }
                #expect(try group.brokenPromises().isEmpty)
            }
        }
    }

    @Test func aClockInThePastMakesNoConflict() async throws {
        let years = -25 * SimulatedFolderClock.fiftyYears / 50
        try await SimulatedFolderGroup.with(2, sharing: true, clocksOffBy: [0, years]) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "0")
            try await a.pass()
            try await b.pass()
            for number in 1...5 { try await b.save("k", "\(number)") }
            try await b.pass()
            let outcome = try await a.pass()
            #expect(outcome.report.imported == 5 && outcome.merge.made == 0 && outcome.merge.left.isEmpty)
            #expect(try a.text("k") == "5")
            try await group.settle()
            #expect(try a.store.versionCount() == 6)
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func aClonedStoreIsToldApartAndNothingIsOverwritten() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let folder = directory + "/folder"
            let a = try SimulatedFolderDevice(
                "a", replica: folder, storePath: directory + "/store", creating: true, seed: 1)
            try await a.save("k", "1")
            try await a.pass()
            try a.store.close()
            try FileManager.default.copyItem(atPath: directory + "/store", toPath: directory + "/clone")
            try a.reopen()
            let clone = try Store.open(at: directory + "/clone")
            let attachment = try #require(try FolderExchange.attachments(of: clone).first)
            #expect(attachment == a.exchange.attachment)
            let exchange = FolderExchange(store: clone, attachment: attachment, pause: { _ in })
            let coordinator = StoreCoordinator(store: clone)
            try await a.save("by a", "2")
            try await a.pass()
            let before = try a.replica.contents()
            let own = try await coordinator.save([.insert(Value(id: "by the clone", "2"))])
            let outcome = try await exchange.pass(coordinator)
            #expect(outcome.sendFailure?.code == .twin)
            #expect(outcome.report.imported == 1)
            #expect(try a.replica.contents() == before)
            #expect(try clone.state(of: own.id) == .firm)
            #expect(try clone.bytes(of: "by a", at: outcome.current) == Array("2".utf8))
            #expect(try await exchange.pass(coordinator).sendFailure?.code == .twin)
            try clone.close()
            try a.store.close()
        }
    }
}
