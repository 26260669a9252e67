public import Foundation

/// One thing that a ``DirectoryWatcher`` saw.
public struct WatchEvent: Hashable, Sendable {
    /// What happened, seen from what was told before.
    public enum Kind: Hashable, Sendable {
        /// It was not there before.
        case created
        /// Its content, attributes or identity changed.
        case modified
        /// It is gone, or was only there for a moment in which it may have been seen.
        case removed
        /// Anything at or below the path may have changed: read it all again.
        case rescan(RescanReason)
        /// From here on at least part of the tree is looked at in intervals only; the error says why and what helps.
        case polling(FileCoordinationError)
        /// The whole tree is watched by the kernel again, after a time of `.polling`.
        case watching
    }

    /// Why a tree is to be read again.
    public enum RescanReason: Hashable, Sendable {
        /// The watch is armed. What is there now is told by nothing else. Who reads it before taking the next batch is told of
        /// each name that came and went meanwhile, in folders that were watched by then. Who reads at another time, as after ``DirectoryWatcher/start()``, may see a name that
        /// is gone again within some milliseconds and is never told of: take as absent what cannot be opened.
        case started
        /// The kernel dropped events. What the rescan found is told by itself, so that nothing need be read; who reads all
        /// the same may see what came and went and is never told of.
        case eventsLost
        /// The consumer was too slow for every path to be kept, or something came and went where it was reading.
        case backlog
    }

    /// What happened.
    public var kind: Kind
    /// The absolute path, as the watched folder was spelled.
    public var path: String
    /// Whether it is, or was, a directory.
    public var isDirectory: Bool

    /// An event.
    public init(_ kind: Kind, path: String, isDirectory: Bool) {
        self.kind = kind
        self.path = path
        self.isDirectory = isDirectory
    }

    /// The path as a URL.
    public var url: URL { URL(filePath: path, directoryHint: isDirectory ? .isDirectory : .notDirectory) }
}

/// How a watch is doing.
public struct WatchStatus: Hashable, Sendable {
    /// What the watcher does at the moment.
    public enum Phase: Hashable, Sendable {
        /// Not started.
        case idle
        /// Listing the tree for the first time.
        case arming
        /// Every folder is watched by the kernel.
        case watching
        /// Some folder, or all of them, are looked at in intervals; the error says why and what helps: a limit of the kernel
        /// is used up, the file system hides what others change, the system has no watches, or the options ask for it.
        case polling(FileCoordinationError)
        /// There is no folder at the path, or none that can be looked at; it is looked for again and again. See
        /// ``WatchStatus/rootProblem``.
        case rootMissing
        /// Ended.
        case stopped
    }

    /// What the watcher does at the moment.
    public var phase = Phase.idle
    /// Folders that the kernel watches.
    public var watchedFolders = 0
    /// Folders that are only looked at in intervals.
    public var polledFolders = 0
    /// Folders on file systems that hide what others change (``FileSystemType/hidesChanges``): looked at in intervals as well.
    public var blindFolders = 0
    /// Why there is no folder to watch at the path: nothing is there, or something that is not a folder.
    public var rootProblem: FileCoordinationError?
    /// Folders that could not be read at the last look.
    public var unreadableFolders = 0
    /// Names that are not UTF-8; what they name is not told of.
    public var skippedNames = 0
    /// How often the kernel dropped events.
    public var overflows = 0
    /// How often the whole tree was listed, the first time included.
    public var rescans = 0
}

/// Whether the kernel tells a ``DirectoryWatcher`` of every change.
public enum WatchMode: Hashable, Sendable {
    /// It does.
    case watching
    /// At least part of the tree is looked at in intervals; the error says why and what helps.
    case polling(FileCoordinationError)
}

extension WatchStatus {
    /// Whether the watcher watches or polls; nil while it does neither: before the start, without a folder, after the end.
    public var mode: WatchMode? {
        switch phase {
        case .watching: .watching
        case .polling(let reason): .polling(reason)
        case .idle, .arming, .rootMissing, .stopped: nil
        }
    }
}
