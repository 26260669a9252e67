public import FileCoordination
import Synchronization

/// A consumer that believes a watcher: it knows what was there at the start, and looks at a path when it is told of it, never
/// else. What it knows must be what is there, once things settle.
public final class FollowedTree: Sendable {
    /// What a look at one path saw.
    public struct Sight: Hashable, Sendable {
        let kind: FileKind
        let inode: UInt64
        let size: Int64
        let modified: Int64

        init(_ attributes: FileAttributes) {
            kind = attributes.kind
            inode = attributes.inode
            // A folder changes with what is in it, which is told by itself.
            size = kind == .directory ? 0 : attributes.size
            modified = kind == .directory ? 0 : attributes.modified
        }
    }

    /// By bytes: names that Unicode calls equal are two names to most file systems.
    typealias Path = [UInt8]

    /// Is given each batch and the look at what is in it, which it must call, early or late.
    public typealias Around = @Sendable (_ batch: [WatchEvent], _ look: () -> Void) -> Void

    /// The watcher that is listened to.
    public let watcher: DirectoryWatcher
    private let root: String
    private let around: Around
    private let sights = Mutex<[Path: Sight]>([:])
    private let told = Mutex<[WatchEvent]>([])
    private let subscription: WatchSubscription
    private let listening = Mutex<Task<WatchToken?, any Error>?>(nil)
    private let isLeaving = Mutex(false)

    /// Starts the watcher of the folder at `root`, and looks at what is there.
    public convenience init(
        _ watcher: DirectoryWatcher, root: String, around: @escaping Around = { $1() }
    ) async throws {
        self.init(watcher, root, since: nil, around)
        await watcher.start()
        let there = try Self.look(at: root, root)
        sights.withLock { $0 = there }
        listen()
    }

    /// Goes on with what an earlier one knew when it was left, without looking.
    public convenience init(_ watcher: DirectoryWatcher, after earlier: FollowedTree, since token: WatchToken) async {
        self.init(watcher, earlier.root, since: token, earlier.around)
        let known = earlier.sights.withLock { $0 }
        sights.withLock { $0 = known }
        listen()
    }

    private init(_ watcher: DirectoryWatcher, _ root: String, since token: WatchToken?, _ around: @escaping Around) {
        self.watcher = watcher
        self.around = around
        self.root = root
        subscription = watcher.subscribe(since: token)
    }

    private func listen() {
        let task = Task { [weak self, subscription] () -> WatchToken? in
            for await batch in subscription {
                self?.take(batch)
                // Between two batches: what is done and what the token says are the same.
                if self?.isLeaving.withLock({ $0 }) ?? true { return try await subscription.token() }
            }
            return nil
        }
        listening.withLock { $0 = task }
    }

    /// Takes a token after the next batch, whatever else waits, and ends the watch. Something must change for there to be one.
    public func leave(after change: () throws -> Void) async throws -> WatchToken? {
        isLeaving.withLock { $0 = true }
        try change()
        let token = try await listening.withLock { $0 }?.value
        watcher.stop()
        return token
    }

    deinit { watcher.stop() }

    /// All that was told, in order.
    public var events: [WatchEvent] { told.withLock { $0 } }

    /// Whether what was told is what is there.
    public var agreesNow: Bool {
        get throws { try sights.withLock { $0 } == Self.look(at: root, root) }
    }

    /// Whether what was told comes to be what is there.
    public func agrees(within limit: Duration = .seconds(30)) async throws -> Bool {
        try await eventually(within: limit) { try agreesNow }
    }

    /// What is there and not known, or known and not there, or seen as it was: for a failing test.
    public var difference: String {
        do {
            let (known, there) = (sights.withLock { $0 }, try Self.look(at: root, root))
            return Set(known.keys).union(there.keys).filter { known[$0] != there[$0] }
                .map {
                    "\(known[$0] == nil ? "not known" : there[$0] == nil ? "gone" : "changed"): \(String(decoding: $0.dropFirst(root.utf8.count + 1), as: UTF8.self))"
                }
                .sorted().description
        } catch { return "\(error)" }
    }

    private func take(_ batch: [WatchEvent]) {
        told.withLock { $0 += batch }
        around(batch) { look(at: batch) }
    }

    private func look(at batch: [WatchEvent]) {
        for event in batch {
            switch event.kind {
            case .created, .modified, .removed: look(again: event.path)
            case .rescan(.backlog): lookAtAll(below: event.path)
            // What a rescan finds is told by itself.
            case .rescan, .polling, .watching: break
            }
        }
    }

    private func look(again path: String) {
        guard path != root else { return }
        var sight: Sight?
        do {
            if try Self.isInTree(path, root) {
                sight = Sight(try LocalFileSystem().attributes(at: path, followLinks: false))
            }
        } catch {}
        sights.withLock { $0[Path(path.utf8)] = sight }
    }

    /// Not if a link leads there: what is behind that is somewhere else.
    private static func isInTree(_ path: String, _ root: String) throws -> Bool {
        var folder = path
        while let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
            folder = String(folder[..<slash])
            guard folder.utf8.count > root.utf8.count else { return true }
            guard try LocalFileSystem().attributes(at: folder, followLinks: false).kind == .directory else {
                return false
            }
        }
        return true
    }

    /// The folder that the path leads to without any link; nil if there is none.
    private static func folder(at path: String, _ root: String) throws -> UInt64? {
        guard try isInTree(path, root) else { return nil }
        let attributes = try LocalFileSystem().attributes(at: path, followLinks: path == root)
        return attributes.kind == .directory ? attributes.inode : nil
    }

    private func lookAtAll(below path: String) {
        // Gone between the event and the look: that is told too.
        do {
            let there = try Self.look(at: path, root)
            sights.withLock { sights in
                sights = sights.filter { !$0.key.starts(with: Path((path + "/").utf8)) }
                sights.merge(there) { _, new in new }
            }
        } catch {}
    }

    /// Everything below the folder that a watcher tells of by default; nothing if the folder is gone.
    private static func look(at folder: String, _ root: String) throws -> [Path: Sight] {
        var sights: [Path: Sight] = [:]
        var queue = [folder]
        while let folder = queue.popLast() {
            do {
                // What is seen through a link that has come there meanwhile is somewhere else.
                guard let before = try Self.folder(at: folder, root) else { continue }
                let found = try entries(of: folder)
                guard try Self.folder(at: folder, root) == before else { continue }
                sights.merge(found) { _, new in new }
                queue += found.filter { $0.value.kind == .directory }.map { String(decoding: $0.key, as: UTF8.self) }
            } catch {
                guard error as? Errno == .noSuchFile || error as? Errno == .notDirectory else { throw error }
            }
        }
        return sights
    }

    private static func entries(of folder: String) throws -> [Path: Sight] {
        let files = LocalFileSystem()
        var sights: [Path: Sight] = [:]
        for entry in try files.list(folder) {
            guard let name = entry.name, !TemporaryNames.isTemporary(name) else { continue }
            let path = "\(folder)/\(name)"
            do {
                sights[Path(path.utf8)] = Sight(try files.attributes(at: path, followLinks: false))
            } catch {
                // Gone since it was listed.
                guard error == .noSuchFile else { throw error }
            }
        }
        return sights
    }
}
