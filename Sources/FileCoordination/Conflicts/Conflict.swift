public import Foundation

/// A file or folder that a sync service left beside the one it clashed with.
public struct Conflict: Hashable, Sendable {
    /// The copy.
    public var path: String
    /// What it is a copy of: its name without the outermost tag, as it is spelled on disk if it is there.
    public var original: String
    /// Whether ``original`` is there. Some services rename both sides, so that it never is.
    public var originalExists: Bool
    /// What is left without any tag; the same as ``original`` unless the copy is a copy of a copy.
    public var root: String
    /// Whether ``root`` is there.
    public var rootExists: Bool
    /// The services that write such a name, the likeliest first; never empty.
    public var services: [SyncService]
    /// Why it was made, as far as the name says.
    public var kind: ConflictKind
    /// How good the evidence is.
    public var confidence: Confidence
    /// The date in the name.
    public var date: ConflictDate?
    /// The user or device in the name, as it is written there. Syncthing's is the device whose version *won*.
    public var who: String?
    /// The number in the name, if there is one.
    public var number: Int?
    /// Whether it is a folder.
    public var isFolder: Bool
    /// How the copy was when it was listed.
    public var state: State
    /// How the root was when the copy was listed; nil if it was not there.
    public var rootState: State?
    /// Whether its bytes are those of ``sameAs``; nil if that was not asked or is not a matter of bytes (folders, links).
    public var sameContent: Bool?
    /// A file with the same bytes: the original, the root, or another copy of it.
    public var sameAs: String?

    /// The likeliest service.
    public var service: SyncService { services.first ?? .unknown }
    /// Whether it is a copy of a copy.
    public var isNested: Bool { root != original }
    /// ``path`` as a file URL.
    public var url: URL { URL(filePath: path, directoryHint: isFolder ? .isDirectory : .notDirectory) }
    /// ``original`` as a file URL.
    public var originalURL: URL { URL(filePath: original, directoryHint: isFolder ? .isDirectory : .notDirectory) }
}

extension Conflict {
    /// What tells one content of a file from another without reading it.
    ///
    /// Two writes within the granularity of the file system's clock (4 ms on most, 2 s on FAT) that leave the length as it
    /// was, in place, cannot be told apart.
    public struct State: Hashable, Sendable {
        /// What it is.
        public var kind: FileKind
        /// The device it is on.
        public var device: UInt64
        /// The number of its inode.
        public var inode: UInt64
        /// Its length in bytes.
        public var size: Int64
        /// When its content changed, in nanoseconds since 1970.
        public var modified: Int64
        /// When its content, name or attributes changed, in nanoseconds since 1970.
        public var changed: Int64

        /// The state that these attributes describe.
        public init(_ attributes: FileAttributes) {
            kind = attributes.kind
            device = attributes.device
            inode = attributes.inode
            size = attributes.size
            modified = attributes.modified
            changed = attributes.changed
        }
    }
}

/// All copies of one file.
public struct ConflictGroup: Hashable, Sendable {
    /// What they are copies of, in the end; see ``Conflict/root``.
    public var root: String
    /// Whether it is there.
    public var rootExists: Bool
    /// The copies, ordered by path; never empty.
    public var conflicts: [Conflict]

    /// Gathers copies by their root, in the order of the first of each.
    ///
    /// Roots that are there are told apart by their bytes, those that are gone by their letters, composed or not.
    public static func grouping(_ conflicts: [Conflict]) -> [ConflictGroup] {
        var groups: [ConflictGroup] = []
        var places: [ConflictRoot: Int] = [:]
        for conflict in conflicts {
            if let place = places[ConflictRoot(conflict)] {
                groups[place].conflicts.append(conflict)
            } else {
                places[ConflictRoot(conflict)] = groups.count
                groups.append(
                    ConflictGroup(root: conflict.root, rootExists: conflict.rootExists, conflicts: [conflict]))
            }
        }
        return groups
    }
}
