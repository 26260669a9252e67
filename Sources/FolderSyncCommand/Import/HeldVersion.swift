import LLVSCore

/// The version that a directory of files was last known to be equal to, kept inside the store: what somebody who edited files
/// there had before them.
///
/// Zone `x_held`: real path of the directory → id of the version, in UTF-8; then `?` if an export into the directory, which held no
/// version before, has not ended.
struct HeldVersion {
    private static let zone = KeyedZone("x_held")
    private static let unfinished = UInt8(ascii: "?")

    private let store: Store
    private let key: [UInt8]

    init(of directory: RealPath, in store: Store) {
        self.store = store
        key = Array(directory.text.utf8)
    }

    /// Nil if the directory is not known, or did not hold all of a version yet, or the version is no longer in the store.
    func load() throws -> Version.ID? { try loadAny().flatMap { $0.isWhole ? $0.version : nil } }

    /// As ``load()``, or the version of which the directory may hold a part only: what is not in it was deleted by nobody.
    func loadAny() throws -> (version: Version.ID, isWhole: Bool)? {
        guard var bytes = try store.storage.read({ try $0.value(key, in: Self.zone) }) else { return nil }
        let isWhole = bytes.last != Self.unfinished
        if !isWhole { bytes.removeLast() }
        let version = try Version.ID(utf8: bytes)
        return try version == .root || store.contains(version) ? (version, isWhole) : nil
    }

    func set(_ version: Version.ID) throws {
        try store.storage.write { try $0.put(version.utf8, for: key, in: Self.zone) }
    }

    /// Files of the version are about to be put into the directory. Where it held another, edits there go on being based on that.
    func begin(_ version: Version.ID) throws {
        if try load() != nil { return }
        try store.storage.write { try $0.put(version.utf8 + [Self.unfinished], for: key, in: Self.zone) }
    }
}
