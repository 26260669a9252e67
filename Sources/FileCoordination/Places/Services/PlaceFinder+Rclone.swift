extension PlaceFinder {
    /// `rclone mount`, known by its type in the mount table; the account is the remote, as in `gdrive:` or `nas:documents`.
    /// Mounts that are not up now are written down nowhere.
    static let rclone = PlaceFinder(service: .rclone) { search in
        for mount in search.mounts() where mount.type == "fuse.rclone" {
            search.add(
                mount.path, account: mount.source, source: search.system.mountTable, basis: .mounted,
                isOneWay: mount.isReadOnly)
        }
    }
}
