extension PlaceFinder {
    /// The mount whose source is `pCloud.fs`, as its open console client calls it. Its settings are a SQLite database
    /// (`~/.pcloud/data.db`); where they are but nothing is mounted, `~/pCloudDrive` is the usual mount point.
    static let pCloud = PlaceFinder(service: .pCloud) { search in
        for mount in search.mounts() where mount.source == "pCloud.fs" {
            search.add(
                mount.path, source: search.system.mountTable, basis: .mounted, isOneWay: mount.isReadOnly)
        }
        let database = search.user.inHome(".pcloud/data.db")
        if !search.hasFound, search.exists(database) {
            search.addUnmounted(search.user.inHome("pCloudDrive"), source: database)
        }
        search.addCloudStorage("pCloud")
    }
}
