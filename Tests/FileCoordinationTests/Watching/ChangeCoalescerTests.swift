import TestSupport
import Testing

@testable import FileCoordination

@Suite("Coalescing of changes")
struct ChangeCoalescerTests {
    let start = ContinuousClock.now
    var coalescer = ChangeCoalescer(timing: ChangeTiming())

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test
    mutating func aClosedFileIsToldAtOnceEvenIfItsCreationWaits() {
        coalescer.observe("a", .created, at: at(0))
        #expect(coalescer.takeDue(at: at(1)).isEmpty)
        coalescer.observe("a", .closed, at: at(2))
        #expect(coalescer.takeDue(at: at(2)) == ["a"])
        #expect(coalescer.isEmpty)
    }

    @Test
    mutating func aReplacementByDeleteAndRenameIsOneChange() {
        coalescer.observe("a", .gone, at: at(0))
        coalescer.observe("a", .settled, at: at(15))
        #expect(coalescer.takeDue(at: at(20)).isEmpty)
        coalescer.observe("a", .settled, at: at(21))
        #expect(coalescer.takeDue(at: at(30)).isEmpty)
        #expect(coalescer.takeDue(at: at(31)) == ["a"])
    }

    @Test
    mutating func aStreamOfWritesIsToldOncePerMaximumDelay() {
        var told: [Int] = []
        for time in 0...1000 {
            coalescer.observe("a", .modified, at: at(time))
            if !coalescer.takeDue(at: at(time)).isEmpty { told.append(time) }
        }
        #expect(told == [500])
        #expect(coalescer.takeDue(at: at(1100)) == ["a"])
    }

    @Test
    mutating func aBurstIsToldAtOnceThenPerMaximumDelayThenWhenItIsOver() {
        var told: [Int] = []
        for time in 0..<1000 {
            if time.isMultiple(of: 10) { coalescer.observe("a", .closed, at: at(time)) }
            if !coalescer.takeDue(at: at(time)).isEmpty { told.append(time) }
        }
        #expect(told == [0, 510])
        #expect(coalescer.takeDue(at: at(1019)).isEmpty)
        #expect(coalescer.takeDue(at: at(1020)) == ["a"])
        // It has been quiet since.
        coalescer.observe("a", .closed, at: at(1070))
        #expect(coalescer.takeDue(at: at(1070)) == ["a"])
        // The end of a burst is told when it has been quiet for as long.
        coalescer.observe("a", .closed, at: at(1080))
        #expect(coalescer.takeDue(at: at(1129)).isEmpty)
        #expect(coalescer.takeDue(at: at(1130)) == ["a"])
    }

    @Test
    mutating func theNextDueTimeIsNeverTooLate() {
        var random = SeededRandom(seed: 5)
        let hints: [ChangeHint] = [.closed, .created, .modified, .gone, .settled]
        var time = 0
        for _ in 0..<2000 {
            time += Int.random(in: 0...20, using: &random)
            let path = "\(Int.random(in: 0..<5, using: &random))"
            coalescer.observe(path, hints.randomElement(using: &random) ?? .closed, at: at(time))
            if let next = coalescer.nextDue, next > at(time) { #expect(coalescer.takeDue(at: at(time)).isEmpty) }
            _ = coalescer.takeDue(at: at(time))
        }
        _ = coalescer.takeDue(at: at(time + 500))
        #expect(coalescer.isEmpty)
        #expect(coalescer.nextDue == nil)
    }

    @Test
    mutating func aSingleFinishedWriteNeedNotWaitInTheQueue() {
        #expect(coalescer.tellsAtOnce("a", .closed, at: at(0)) == true)
        #expect(coalescer.isEmpty)
        // The next one comes too soon after it, and is gathered.
        #expect(coalescer.tellsAtOnce("a", .closed, at: at(10)) == false)
        coalescer.observe("a", .closed, at: at(10))
        #expect(coalescer.takeDue(at: at(10)).isEmpty)
        // What waits is not overtaken.
        coalescer.observe("b", .gone, at: at(10))
        #expect(coalescer.tellsAtOnce("b", .closed, at: at(11)) == false)
        #expect(coalescer.tellsAtOnce("c", .settled, at: at(11)) == false)
    }

    @Test
    mutating func aLargeNumberIsTakenPieceByPieceTheEarliestFirst() {
        for number in 0..<20_000 { coalescer.observe("\(number)", .settled, at: at(number / 100)) }
        var taken: [String] = []
        while !coalescer.isEmpty {
            let piece = coalescer.takeDue(at: at(1000), limit: 512)
            #expect(piece.count <= 512)
            taken += piece
        }
        #expect(taken.count == 20_000)
        #expect(taken.prefix(512).allSatisfy { (Int($0) ?? .max) < 600 })
    }
}
