extension PlaceFinder {
    /// Mounts of google-drive-ocamlfuse, known by their type in the mount table; on Apple platforms Google's own client, below
    /// `~/Library/CloudStorage`, with the user's files in `My Drive`. Google has no client for Linux.
    static let googleDrive = PlaceFinder(service: .googleDrive) { search in
        for mount in search.mounts() where mount.type == "fuse.google-drive-ocamlfuse" {
            // `gdfuse#label` where it is mounted by fstab.
            let label = mount.source.split(separator: "#", maxSplits: 1).dropFirst().first.map(String.init)
            search.add(
                mount.path, account: label, source: search.system.mountTable, basis: .mounted,
                isOneWay: mount.isReadOnly)
        }
        search.addCloudStorage("GoogleDrive", inner: "My Drive")
    }
}
