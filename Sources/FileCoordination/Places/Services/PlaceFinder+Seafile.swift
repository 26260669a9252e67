extension PlaceFinder {
    /// `seafile.ini` in `$CCNET_CONF_DIR` or `~/.ccnet`, whose first line is the folder `seafile-data`; `$SEAFILE_DATA_DIR`
    /// stands for that line. Libraries are by default folders beside it. Which of these folders are libraries, and which
    /// libraries are elsewhere, is only in a SQLite database.
    static let seafile = PlaceFinder(service: .seafile) { search in
        let home = search.user.home
        let settings = FilePlace.join(
            search.environment["CCNET_CONF_DIR"].flatMap { FolderPath.absolute($0, home: home) }
                ?? search.user.inHome(".ccnet"), "seafile.ini")
        guard let text = search.text(at: settings) else { return }
        let line = search.environment["SEAFILE_DATA_DIR"] ?? String(text.settingsLines[0].trimmed)
        guard let data = FolderPath.absolute(line, home: home) else {
            return search.report(.malformed(settings, because: "its first line is no absolute path"))
        }
        let parent = FolderPath.parent(of: data)
        for name in search.names(in: parent) where !name.hasPrefix(".") && name != FolderPath.name(of: data) {
            let folder = FilePlace.join(parent, name)
            if search.isFolder(folder) { search.add(folder, account: name, source: settings, basis: .assumed) }
        }
        if !search.hasFound {
            search.report(.opaque(settings, because: "its libraries are listed in a database only"))
        }
    }
}

extension PlaceSearch {
    fileprivate func isFolder(_ path: String) -> Bool {
        do { return try files.attributes(at: path, followLinks: true).kind == .directory } catch { return false }
    }
}
