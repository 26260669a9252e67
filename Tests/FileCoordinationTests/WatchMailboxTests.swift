import TestSupport
import Testing

@testable import FileCoordination

@Suite("The watcher's mailbox", .timeLimit(.minutes(1)))
struct WatchMailboxTests {
    private func event(_ kind: WatchEvent.Kind, _ path: String) -> WatchEvent {
        WatchEvent(kind, path: path, isDirectory: false)
    }

    @Test
    func eventsOfOnePathBecomeOne() async {
        let box = WatchMailbox(root: "/r", limit: 100)
        let subscriber = box.newSubscriber()
        box.put([event(.created, "/r/a"), event(.modified, "/r/a"), event(.removed, "/r/b"), event(.created, "/r/b")])
        box.put([event(.created, "/r/c"), event(.removed, "/r/c")])
        #expect(await box.take(for: subscriber) == [event(.created, "/r/a"), event(.modified, "/r/b")])
    }

    @Test
    func aBacklogCollapsesIntoFoldersThenIntoTheRoot() async {
        let box = WatchMailbox(root: "/r", limit: 10)
        let subscriber = box.newSubscriber()
        box.put((0...10).map { event(.created, "/r/d/\($0)") })
        box.put([event(.created, "/r/d/x/deep"), event(.created, "/r/other")])
        #expect(box.count == 2)
        #expect(
            await box.take(for: subscriber) == [
                WatchEvent(.rescan(.backlog), path: "/r/d", isDirectory: true), event(.created, "/r/other"),
            ])
        for folder in 0..<1000 { box.put([event(.created, "/r/\(folder)/f")]) }
        #expect(box.count <= 20)
        #expect(
            await box.take(for: subscriber)?.contains(WatchEvent(.rescan(.backlog), path: "/r", isDirectory: true))
                == true)
        // What was taken is over: the next event is told by itself.
        box.put([event(.created, "/r/5/g")])
        #expect(await box.take(for: subscriber) == [event(.created, "/r/5/g")])
    }

    @Test
    func onlyTheFirstSubscriberIsServed() async {
        let box = WatchMailbox(root: "/r", limit: 10)
        let (first, second) = (box.newSubscriber(), box.newSubscriber())
        box.put([event(.created, "/r/a"), event(.created, "/r/b")])
        #expect(await box.take(for: first)?.count == 2)
        #expect(await box.take(for: second) == nil)
        #expect(box.isDecisive(first) && !box.isDecisive(second))
    }

    @Test
    func theEndComesAtOnceEvenIfSomethingWaits() async {
        let box = WatchMailbox(root: "/r", limit: 10)
        let subscriber = box.newSubscriber()
        box.put([event(.created, "/r/a")])
        box.end()
        box.put([event(.created, "/r/b")])
        #expect(await box.take(for: subscriber) == nil)
    }
}
