import FolderSync
import Foundation
import LLVSCore
import TestSupport
import Testing

/// Clocks that are wrong.
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
}
