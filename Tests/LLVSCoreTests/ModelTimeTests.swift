import LLVSCore
import Testing

@Suite("Model: stamps and recency") struct ModelTimeTests {
    private static let year: UInt64 = 31_557_600_000

    @Test func tickCarries() {
        #expect(Stamp(milliseconds: 5, counter: 6).next == Stamp(milliseconds: 5, counter: 7))
        #expect(Stamp(milliseconds: 5, counter: .max).next == Stamp(milliseconds: 6, counter: 0))
        let last = Stamp(milliseconds: .max, counter: .max)
        #expect(last.next == last)
        #expect(Stamp(milliseconds: 5, counter: .max) < Stamp(milliseconds: 6))
        #expect(Stamp(milliseconds: 5, counter: 1) > Stamp(milliseconds: 5))
    }

    @Test func authoredStampIsTheClockWithinReason() {
        func stamp(_ now: Int64, _ earlier: Stamp...) -> Stamp { Stamp.authored(now: now, after: earlier) }
        let now: Int64 = 1_700_000_000_000
        let then = Stamp(milliseconds: UInt64(now), counter: 4)
        #expect(stamp(now) == Stamp(milliseconds: UInt64(now)))
        #expect(stamp(now, .zero, Stamp(milliseconds: 7)) == Stamp(milliseconds: UInt64(now)))
        #expect(stamp(now, .zero, then) == Stamp(milliseconds: UInt64(now), counter: 5))
        #expect(stamp(now - 1_000, then, .zero) == then.next)
        #expect(stamp(.min) == Stamp(milliseconds: 946_684_800_000))
        #expect(stamp(-1) == Stamp(milliseconds: 946_684_800_000))
        #expect(stamp(.max) == Stamp(milliseconds: 7_289_654_399_999))
        let far = Stamp(milliseconds: .max - 1, counter: .max)
        #expect(stamp(now, far) == Stamp(milliseconds: .max))
    }

    @Test func recencyIsByStampThenIDUnlessAClockIsBroken() throws {
        let ids = try ["a", "b"].map { try Version.ID($0) }
        func recency(_ milliseconds: UInt64, _ generation: UInt64, _ id: Int, counter: UInt32 = 0) -> Recency {
            Recency(stamp: Stamp(milliseconds: milliseconds, counter: counter), generation: generation, id: ids[id])
        }
        let now: UInt64 = 1_700_000_000_000
        let apart = 5 * Self.year
        #expect(Recency.comparableMilliseconds == apart)
        // Each first one is the more recent, and never the second.
        let pairs = [
            (recency(now + 1, 1, 0), recency(now, 9, 1)),
            (recency(now, 1, 0, counter: 1), recency(now, 9, 1)),
            (recency(now, 1, 1), recency(now, 9, 0)),
            (recency(now + apart, 1, 0, counter: 9), recency(now, 9, 1)),
            (recency(now, 9, 0), recency(now + apart + 1, 1, 1)),
            (recency(now + apart + 1, 9, 0), recency(now, 1, 1)),
            (recency(now, 3, 1), recency(now + apart + 1, 3, 0)),
            (recency(0, 2, 0), recency(.max, 1, 1)),
        ]
        for (index, (more, less)) in pairs.enumerated() {
            #expect(more.isMoreRecent(than: less), "pair \(index)")
            #expect(!less.isMoreRecent(than: more), "pair \(index)")
        }
        #expect(!pairs[0].0.isMoreRecent(than: pairs[0].0))
        #expect(recency(now + apart + 1, 1, 1).isPlainlyLater(than: recency(now, 9, 0)))
        #expect(recency(now, 1, 1).isPlainlyLater(than: recency(now, 1, 0)))
        #expect(!recency(now, 1, 1).isPlainlyLater(than: recency(now, 1, 1)))
    }

    @Test func versionKnowsItsRecency() throws {
        let version = try ModelVector.record("join").version
        #expect(
            version.recency == Recency(stamp: version.stamp, generation: version.generation, id: version.id))
    }
}
