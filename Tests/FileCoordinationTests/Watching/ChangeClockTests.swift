import Testing

@testable import FileCoordination

@Suite("Times that are too coarse to show a change")
struct ChangeClockTests {
    private static let second: Int64 = 1_000_000_000
    /// Some time that is no whole second.
    private let start: Int64 = 1_700_000_000 * second + 123_456_789

    private func file(_ changed: Int64, modified: Int64? = nil) -> FileAttributes {
        FileAttributes(
            kind: .file, size: 1, modified: modified ?? changed, changed: changed, inode: 1, device: 1,
            permissions: .file, owner: 0, group: 0, linkCount: 1)
    }

    private func isFresh(_ file: FileAttributes, _ wall: Int64, _ clock: inout ChangeClock) -> Bool {
        clock.isFresh(file, at: LookTime(wall: wall, steady: wall))
    }

    @Test
    func aChangeIsFreshForATickOfTheFileSystem() {
        var clock = ChangeClock()
        // Something newer was seen, so the age of others is known.
        #expect(isFresh(file(start), start, &clock))
        #expect(isFresh(file(start - 5_000_000), start, &clock))
        #expect(!isFresh(file(start - 30_000_000), start, &clock))
    }

    @Test
    func wholeSecondsMeanTwoSeconds() {
        var clock = ChangeClock()
        let even = 1_700_000_000 * Self.second
        #expect(isFresh(file(even), even, &clock))
        #expect(isFresh(file(even), even + 1_900_000_000, &clock))
        #expect(!isFresh(file(even), even + 2_100_000_000, &clock))
        // A program that set the time of the content to a whole second says nothing about the file system.
        #expect(ChangeClock.tick(file(start, modified: even)) == ChangeClock.fineTick)
    }

    @Test(arguments: [-86_400, -3, 3, 86_400] as [Int64])
    func aServersClockThatIsOffHidesNothing(_ seconds: Int64) {
        let off = seconds * Self.second
        var clock = ChangeClock()
        for round in 0..<5 as Range<Int64> {
            let now = start + round * 10 * Self.second
            #expect(isFresh(file(now + off - 1_000_000), now, &clock))
            // Once one change was seen, older ones are known as older.
            #expect(!isFresh(file(now + off - 500_000_000), now, &clock))
        }
    }

    @Test
    func timesOfAnySizeHarmNothing() {
        var clock = ChangeClock()
        for time in [Int64.min, .max, 0, -1] {
            for now in [Int64.min, .max, 0] { _ = isFresh(file(time), now, &clock) }
        }
    }
}
