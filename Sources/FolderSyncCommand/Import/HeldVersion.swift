import LLVSCore

/// The version that a directory of files was last known to be equal to, kept inside the store: what somebody who edited files
/// there had before them.
///
/// Zone `x_held`: real path of the directory → id of the version, in UTF-8.
struct HeldVersion {
    private static let zone = KeyedZone("x_held")

    private let store: Store
    private let key: [UInt8]

    init(of directory: RealPath, in store: Store) {
        self.store = store
        key = Array(directory.text.utf8)
    }

    /// Nil if the directory is not known, or the version is no longer in the store.
    func load() throws -> Version.ID? {
        guard let bytes = try store.storage.read({ try $0.value(key, in: Self.zone) }) else { return nil }
        let version = try Version.ID(utf8: bytes)
        return try version == .root || store.contains(version) ? version : nil
    }

    func set(_ version: Version.ID) throws {
        try store.storage.write { try $0.put(version.utf8, for: key, in: Self.zone) }
    }
}
