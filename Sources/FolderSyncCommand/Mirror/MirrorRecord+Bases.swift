import LLVSCore

extension MirrorRecord {
    /// The versions that edits of mirrored files would be based on and that the directory as a whole does not hold: those of files
    /// that an export has not brought there yet, or that were left.
    static func bases(in store: Store) throws -> Set<Version.ID> {
        var versions: Set<Version.ID> = []
        for directory in try directories(in: store) {
            let held = try HeldVersion(of: directory, in: store).load() ?? .root
            for (path, entry) in try MirrorRecord(of: directory, in: store).entries {
                guard let settled = entry.settled, settled.version != held, try store.contains(settled.version) else {
                    continue
                }
                let here = try store.reference(of: try Value.ID(utf8: path.utf8), at: held)
                if here?.contentHash != settled.hash { versions.insert(settled.version) }
            }
        }
        return versions.subtracting([.root])
    }
}
