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

    /// The watcher that is listened to.
    public let watcher: DirectoryWatcher
    private let root: String
    private let sights = Mutex<[Path: Sight]>([:])
    private let told = Mutex<[WatchEvent]>([])

    /// Starts the watcher of the folder at `root`, and looks at what is there.
    public init(_ watcher: DirectoryWatcher, root: String) async throws {
        self.watcher = watcher
        self.root = root
        let subscription = watcher.subscribe()
        await watcher.start()
        let there = try Self.look(at: root)
        sights.withLock { $0 = there }
        Task { [weak self] in
            for await batch in subscription { self?.take(batch) }
        }
    }

    deinit { watcher.stop() }

    /// All that was told, in order.
    public var events: [WatchEvent] { told.withLock { $0 } }

    /// Whether what was told is what is there.
    public var agreesNow: Bool {
        get throws { try sights.withLock { $0 } == Self.look(at: root) }
    }

    /// Whether what was told comes to be what is there.
    public func agrees() async throws -> Bool { try await eventually { try agreesNow } }

    /// What is there and not known, or known and not there, or seen as it was: for a failing test.
    public var difference: String {
        do {
            let (known, there) = (sights.withLock { $0 }, try Self.look(at: root))
            return Set(known.keys).union(there.keys).filter { known[$0] != there[$0] }
                .map { String(decoding: $0, as: UTF8.self) }.sorted().description
        } catch { return "\(error)" }
    }

    private func take(_ batch: [WatchEvent]) {
        told.withLock { $0 += batch }
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
        let sight: Sight?
        do { sight = Sight(try LocalFileSystem().attributes(at: path, followLinks: false)) } catch { sight = nil }
        sights.withLock { $0[Path(path.utf8)] = sight }
    }

    private func lookAtAll(below path: String) {
        // Gone between the event and the look: that is told too.
        do {
            let there = try Self.look(at: path)
            sights.withLock { sights in
                sights = sights.filter { !$0.key.starts(with: Path((path + "/").utf8)) }
                sights.merge(there) { _, new in new }
            }
        } catch {}
    }

    /// Everything below the folder that a watcher tells of by default; nothing if the folder is gone.
    private static func look(at folder: String) throws -> [Path: Sight] {
        let files = LocalFileSystem()
        var sights: [Path: Sight] = [:]
        var queue = [folder]
        while let folder = queue.popLast() {
            do {
                for entry in try files.list(folder) {
                    guard let name = entry.name, !TemporaryNames.isTemporary(name) else { continue }
                    let path = "\(folder)/\(name)"
                    let sight = Sight(try files.attributes(at: path, followLinks: false))
                    sights[Path(path.utf8)] = sight
                    if sight.kind == .directory { queue.append(path) }
                }
            } catch {
                guard error as Errno == .noSuchFile || error as Errno == .notDirectory else { throw error }
            }
        }
        return sights
    }
}
