import TestSupport
import Testing

@testable import FileCoordination

@Suite("The watcher's mailbox", .timeLimit(.minutes(20)))
struct WatchMailboxTests {
    private func event(_ kind: WatchEvent.Kind, _ path: String) -> WatchEvent {
        WatchEvent(kind, path: path, isDirectory: false)
    }

    @Test
    func eventsOfOnePathBecomeOne() async {
        let box = WatchMailbox(root: "/r", limit: 100)
        box.put([event(.created, "/r/a"), event(.modified, "/r/a"), event(.removed, "/r/b"), event(.created, "/r/b")])
        box.put([event(.created, "/r/c"), event(.removed, "/r/c")])
        #expect(
            await box.take() == [
                event(.created, "/r/a"), event(.modified, "/r/b"), event(.removed, "/r/c"),
            ])
    }

    @Test
    func aBacklogCollapsesIntoFoldersThenIntoTheRoot() async {
        let box = WatchMailbox(root: "/r", limit: 10)
        box.put((0...10).map { event(.created, "/r/d/\($0)") })
        box.put([event(.created, "/r/d/x/deep"), event(.created, "/r/other")])
        #expect(box.count == 2)
        #expect(box.waiting(in: 0) == WatchUnknown(paths: [PathKey("/r/other")], folders: [PathKey("/r/d")]))
        let reader = WatchReader()
        #expect(
            await box.take(by: reader) == [
                WatchEvent(.rescan(.backlog), path: "/r/d", isDirectory: true), event(.created, "/r/other"),
            ])
        // What it holds may still be looked at, until a round after its return is over.
        let held = WatchUnknown(paths: [PathKey("/r/other")], folders: [PathKey("/r/d")])
        #expect(box.waiting(in: 0) == held)
        #expect(box.comeBack(reader, in: 0) && box.waiting(in: 1) == held && box.waiting(in: 2) == WatchUnknown())
        for folder in 0..<1000 { box.put([event(.created, "/r/\(folder)/f")]) }
        #expect(box.count <= 20)
        #expect(await box.take() == [WatchEvent(.rescan(.backlog), path: "/r", isDirectory: true)])
        // What was taken is over: the next event is told by itself.
        box.put([event(.created, "/r/5/g")])
        #expect(await box.take() == [event(.created, "/r/5/g")])
    }

    @Test
    func theBacklogOfAHundredThousandPathsStaysBounded() async {
        let box = WatchMailbox(root: "/r", limit: 4096)
        var most = 0
        for number in 0..<100_000 {
            box.put([event(.created, "/r/\(number / 10)/\(number)")])
            most = max(most, box.count)
        }
        #expect(most <= 2 * 4096 + 1)
        #expect(await box.take()?.isEmpty == false)
    }

    @Test
    func whoeverWaitsIsHandedEverythingByName() async {
        let box = WatchMailbox(root: "/r", limit: 10)
        async let batch = box.take()
        #expect(await eventually { box.isAwaited })
        box.put((0..<1000).map { event(.created, "/r/d/\($0)") })
        #expect(await batch?.count == 1000)
    }

    @Test
    func theEndComesAtOnceEvenIfSomethingWaits() async {
        let box = WatchMailbox(root: "/r", limit: 10)
        box.put([event(.created, "/r/a")])
        box.end()
        box.put([event(.created, "/r/b")])
        #expect(box.count == 0)
        #expect(await box.take() == nil)
    }

    @Test
    func theEndWakesEveryTaskThatWaits() async {
        let box = WatchMailbox(root: "/r", limit: 10)
        await withTaskGroup(of: [WatchEvent]?.self) { group in
            for _ in 0..<3 { group.addTask { await box.take() } }
            group.addTask {
                box.put([self.event(.created, "/r/a")])
                box.end()
                return nil
            }
            for await batch in group { #expect(batch?.count ?? 0 <= 1) }
        }
    }
}
