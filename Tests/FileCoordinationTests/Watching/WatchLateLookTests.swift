import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Looks that come late", .serialized, .timeLimit(.minutes(20)))
struct WatchLateLookTests {
    // A consumer is told of something, and looks only after something else has come there; that is gone again before the watcher
    // looks. Nothing seems to have changed then, and yet the consumer must hear of it.

    let folder: TemporaryFolder
    let outside: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        outside = try TemporaryFolder()
    }

    /// What happens, in the order of the fields. Paths that begin with `/` are outside.
    struct Story: CustomTestStringConvertible, Sendable {
        enum Change: Sendable {
            case move(String, String)
            /// Of folders above the root.
            case moveAbove(String, String)
            case write(String)
            case remove(String)
        }
        let testDescription: String
        var root = "root"
        var folders: [String] = []
        var files: [String] = []
        /// What is told.
        let first: [Change]
        /// What happens before that is looked at, so that it is told as a folder to be read again.
        var backlog: [Change] = []
        /// The path at which it is looked late.
        let path: String
        /// Before the look, and after it; the watcher sees neither by itself.
        let between: [Change]
        let after: [Change]
        var options = WatchOptions()

        func when(_ change: (inout WatchOptions) -> Void) -> Self {
            var story = self
            change(&story.options)
            return story
        }
    }

    static let stories = [
        Story(
            testDescription: "a file of another folder", folders: ["d", "/e"], files: ["d/f", "/e/f"],
            first: [.move("d", "/d")], path: "d/f", between: [.move("/e", "d")], after: [.move("d", "/e")]),
        Story(
            testDescription: "a folder that is away for a moment", folders: ["d/e"], files: ["d/e/f"],
            first: [.write("d/e/f")], path: "d/e/f", between: [.move("d", "/d")], after: [.move("/d", "d")]),
        Story(
            testDescription: "two folders that swap their names", folders: ["d", "e"], files: ["d/f", "e/f"],
            first: [.write("d/f")], path: "d/f", between: [.move("d", "c"), .move("e", "d")],
            after: [.move("d", "e"), .move("c", "d")]),
        Story(
            testDescription: "a file for a moment", files: ["f"],
            first: [.remove("f")], path: "f", between: [.write("f")], after: [.remove("f")]),
        Story(
            testDescription: "a folder where a file comes to be", folders: ["n", "/n"], files: ["n/f", "/n/f"],
            first: [.move("n", "/o")], path: "n/f", between: [.move("/n", "n")], after: [.move("n", "/n"), .write("n")]),
        Story(
            testDescription: "what a new folder had before it was watched", folders: ["d", "/e"],
            files: ["d/f", "/e/f"],
            first: [.move("d", "/d")], path: "d/f", between: [.move("/e", "d")], after: [.remove("d/f")]),
        Story(
            testDescription: "another root", folders: ["/r"], files: ["f", "/r/f"],
            first: [.remove("f")], path: "f", between: [.move("", "/old"), .move("/r", "")],
            after: [.move("", "/r"), .move("/old", "")]),
        Story(
            testDescription: "in a folder that is read again", folders: ["d"],
            first: [.write("d/0")], backlog: (1..<9).map { .write("d/\($0)") }, path: "d", between: [.write("d/g")],
            after: [.remove("d/g")]
        ).when { $0.backlogLimit = 3 },
        Story(
            testDescription: "a tree in a folder that is read again", folders: ["d", "/e/g"], files: ["/e/g/h"],
            first: [.write("d/0")], backlog: (1..<9).map { .write("d/\($0)") }, path: "d",
            between: [.move("/e", "d/e")],
            after: [.move("d/e", "/e")]
        ).when { $0.backlogLimit = 3 },
        Story(
            testDescription: "a file for a moment, polled", files: ["f"],
            first: [.remove("f")], path: "f", between: [.write("f")], after: [.remove("f")]
        ).when { $0.pollsOnly = true },
        Story(
            testDescription: "a root that is away for a moment, polled", files: ["f"],
            first: [.write("f")], path: "f", between: [.move("", "/old")], after: [.move("/old", "")]
        ).when { $0.pollsOnly = true },
        Story(
            testDescription: "a folder above the root that is away for a moment, polled", root: "above/root",
            files: ["f"], first: [.write("f")], path: "f", between: [.moveAbove("above", "beside")],
            after: [.moveAbove("beside", "above")]
        ).when { $0.pollsOnly = true },
    ]

    private func place(_ path: String, in root: String = "root") -> String {
        path.hasPrefix("/")
            ? outside(String(path.dropFirst())) : path.isEmpty ? folder(root) : folder("\(root)/\(path)")
    }

    private func make(_ changes: [Story.Change], in root: String = "root") {
        func place(_ path: String) -> String { self.place(path, in: root) }
        do {
            for change in changes {
                switch change {
                case .move(let old, let new): try LocalFileSystem().rename(place(old), to: place(new))
                case .moveAbove(let old, let new): try LocalFileSystem().rename(folder(old), to: folder(new))
                case .write(let path): try Data("longer".utf8).write(to: URL(filePath: place(path)))
                case .remove(let path): try FileManager.default.removeItem(atPath: place(path))
                }
            }
        } catch { Issue.record(error) }
    }

    /// Where a story has come to.
    private final class Course: Sendable {
        let hasBegun = Shared(false)
        let isDone = Shared(false)
        /// The watcher's thread waits here while the consumer is late, and both while the story begins.
        let turn = NSLock()
    }

    private func begin(_ story: Story, _ course: Course) {
        course.turn.withLock {
            course.hasBegun.change { $0 = true }
            make(story.first, in: story.root)
        }
    }

    /// The consumer is late once, after the story has begun: whatever it was told of before, as of a file that was made a moment
    /// ago, it looks at at once.
    private func follow(_ story: Story, _ course: Course, ending: Bool = true) async throws -> FollowedTree {
        try FileManager.default.createDirectory(atPath: place("", in: story.root), withIntermediateDirectories: true)
        for name in story.folders {
            try FileManager.default.createDirectory(
                atPath: place(name, in: story.root), withIntermediateDirectories: true)
        }
        for name in story.files { try Data("x".utf8).write(to: URL(filePath: place(name, in: story.root))) }
        var options = story.options
        options.pollInterval = .milliseconds(20)
        options.ignores = { _ in course.turn.withLock { false } }
        let path = place(story.path, in: story.root)
        let watcher = DirectoryWatcher(place("", in: story.root), options: options)
        let tree = try await FollowedTree(watcher, root: place("", in: story.root)) { batch, look in
            guard course.hasBegun.value, !course.isDone.value, batch.contains(where: { $0.path == path }) else {
                if !story.backlog.isEmpty, batch.contains(where: { $0.kind == .created }) { fill(watcher, story) }
                return look()
            }
            course.turn.withLock {
                make(story.between, in: story.root)
                look()
                if ending { make(story.after, in: story.root) }
            }
            course.isDone.change { $0 = true }
        }
        #expect(await eventually { !tree.events.isEmpty })
        return tree
    }

    private func fill(_ watcher: DirectoryWatcher, _ story: Story) {
        make(story.backlog, in: story.root)
        for _ in 0..<5000 where watcher.core.mailboxes.allSatisfy({ $0.waiting(in: 0).folders.isEmpty }) {
            usleep(1000)
        }
    }

    @Test(arguments: stories)
    func whatWasSeenAndIsGoneIsTold(story: Story) async throws {
        let course = Course()
        let tree = try await follow(story, course)
        begin(story, course)
        #expect(await eventually { course.isDone.value })
        #expect(try await tree.agrees(), "\(tree.difference)")
        // And then it is not told on and on.
        let (path, proof) = (place(story.path, in: story.root), place("proof", in: story.root))
        let count = tree.events.count { $0.path == path }
        make([.write("proof")], in: story.root)
        #expect(await eventually { tree.events.contains { $0.path == proof } })
        #expect(tree.events.count { $0.path == path } <= count + 2)
    }

    @Test
    func whatWasSeenBeforeATokenIsToldSinceIt() async throws {
        // The watcher does not look between.
        let story = try #require(Self.stories.first { $0.options.pollsOnly })
        let course = Course()
        let tree = try await follow(story, course, ending: false)
        let token = try #require(await tree.leave { begin(story, course) })
        // Else the token came with what was told of before, and its end is yet to be told.
        if course.isDone.value { make(story.after) }
        let next = DirectoryWatcher(place(""))
        let later = await FollowedTree(next, after: tree, since: try WatchToken(decoding: token.encoded))
        #expect(try await later.agrees(), "\(later.difference)")
    }

    @Test
    func whatWasSeenByWhoReadAtTheStartAndIsGoneIsTold() async throws {
        let turn = NSLock()
        var options = WatchOptions()
        options.ignores = { _ in turn.withLock { false } }
        let watcher = DirectoryWatcher(folder.path, options: options)
        let told = Shared<[WatchEvent]>([])
        let file = folder("f")
        let consumer = Task {
            for await batch in watcher.subscribe() {
                told.change { $0 += batch }
                guard batch.contains(where: { $0.kind == .rescan(.started) }) else { continue }
                // It reads the folder, and sees the file; the watcher does not get to look.
                try turn.withLock {
                    try Data("x".utf8).write(to: URL(filePath: file))
                    try FileManager.default.removeItem(atPath: file)
                }
            }
        }
        #expect(
            await eventually {
                told.value.contains { $0.path == file && $0.kind == .removed }
            })
        watcher.stop()
        try await consumer.value
    }

    @Test
    func aLookLastsUntilItsOwnReaderComesBackAndARoundIsOver() {
        var looks = WatchLooks(root: "/r")
        let (slow, quick) = (WatchReader(), WatchReader())
        let doubt = WatchDoubt(path: "a", folder: nil)
        looks.give([WatchEvent(.removed, path: "/r/a/x", isDirectory: false)], to: slow)
        for round in 0..<1000 {
            looks.give([WatchEvent(.created, path: "/r/a\(round)", isDirectory: false)], to: quick)
            _ = looks.comeBack(quick, in: round / 100)
        }
        #expect(looks.events(at: doubt, in: 20).map(\.path) == ["/r/a/x"])
        #expect(looks.mayHaveSeen("/r/a950", in: 10) && !looks.mayHaveSeen("/r/a950", in: 11))
        _ = looks.comeBack(slow, in: 20)
        #expect(looks.areOpen(in: 21) && !looks.areOpen(in: 22))
    }
}
