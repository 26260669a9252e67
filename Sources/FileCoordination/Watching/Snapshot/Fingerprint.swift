/// What is remembered of a file to see whether it changed: two of them are equal if nothing shows that it did.
///
/// Size, times of content (`mtime`) and inode (`ctime`) are kept as a 64-bit digest, so that an entry costs little memory.
struct Fingerprint: Sendable {
    let inode: UInt64
    let digest: UInt64
    let kind: FileKind
    /// Whether it changed so shortly before it was looked at that a further change need not show; see ``ChangeClock``.
    /// Where no event would tell of that change, it counts as changed at the next look. Says nothing about equality.
    var isFresh: Bool

    init(inode: UInt64, digest: UInt64, kind: FileKind, isFresh: Bool = false) {
        self.inode = inode
        self.digest = digest
        self.kind = kind
        self.isFresh = isFresh
    }

    /// A folder changes with everything in it, which is told by itself: only its identity counts.
    init(_ attributes: FileAttributes, isFresh: Bool = false) {
        kind = attributes.kind
        inode = attributes.inode
        let isFolder = attributes.kind == .directory
        digest = isFolder ? 0 : Self.digest(attributes.size, attributes.modified, attributes.changed)
        self.isFresh = isFresh && !isFolder
    }

    /// What nothing that is found is equal to: for a path of which it is not known what was told.
    static let unknown = Fingerprint(inode: 0, digest: 0, kind: .other, isFresh: true)

    /// SplitMix64's finalizer over the words in turn. Part of the format of ``WatchToken``: never changed.
    static func digest(_ size: Int64, _ modified: Int64, _ changed: Int64) -> UInt64 {
        mix(mix(mix(0, size), modified), changed)
    }

    private static func mix(_ state: UInt64, _ word: Int64) -> UInt64 {
        var mixed = (state ^ UInt64(bitPattern: word)) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Fingerprint: Equatable {
    static func == (one: Fingerprint, other: Fingerprint) -> Bool {
        one.inode == other.inode && one.digest == other.digest && one.kind == other.kind
    }
}

/// Which directory a path leads to.
struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let fingerprint: Fingerprint

    init(device: UInt64, fingerprint: Fingerprint) {
        self.device = device
        self.fingerprint = fingerprint
    }

    init(_ attributes: FileAttributes) {
        device = attributes.device
        fingerprint = Fingerprint(attributes)
    }
}
