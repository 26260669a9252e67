extension PlaceFinder {
    /// Microsoft's own client, on Apple platforms: below `~/Library/CloudStorage`.
    static let oneDrive = PlaceFinder(service: .oneDrive) { search in search.addCloudStorage("OneDrive") }

    /// `onedrive/config` in the folder of settings: `sync_dir = "~/OneDrive"`, which is also the default. For more accounts
    /// the documentation has folders of any name with the same files; OneDriveGUI has them in `onedrive/accounts`. They are
    /// known by the `refresh_token` beside the settings. Settings for all users (`/etc/onedrive/config`) count where the
    /// account has none.
    static let oneDriveAbraunegg = PlaceFinder(service: .oneDriveAbraunegg) { search in
        for config in search.configs {
            for name in search.names(in: config.path) {
                let folder = "\(config.path)/\(name)"
                let marks = name == "onedrive" ? ["refresh_token", "config"] : ["refresh_token"]
                guard marks.contains(where: { search.exists("\(folder)/\($0)") }) else { continue }
                search.addOneDrive(folder, account: name == "onedrive" ? nil : name, home: config.home)
            }
            let accounts = "\(config.path)/onedrive/accounts"
            for name in search.names(in: accounts) where search.exists("\(accounts)/\(name)/config") {
                search.addOneDrive("\(accounts)/\(name)", account: name, home: config.home)
            }
        }
    }
}

extension PlaceSearch {
    fileprivate mutating func addOneDrive(_ folder: String, account: String?, home: String) {
        var source = "\(folder)/config"
        var settings = text(at: source)
        if settings == nil, !exists(source) {
            let common = "\(system.settings)/onedrive/config"
            settings = text(at: common)
            source = settings == nil ? folder : common
        }
        // Settings that are there but cannot be read may name any folder.
        guard settings != nil || source == folder else { return }
        let entries = INIText(settings ?? "")
        let directions = entries.values("download_only") + entries.values("upload_only")
        let path = entries.values("sync_dir").last.map(unquoted) ?? ""
        add(
            path.isEmpty ? "~/OneDrive" : path, account: account, source: source, home: home,
            isOneWay: directions.contains { unquoted($0) == "true" })
    }
}

/// The text between quotes, if it is in quotes.
private func unquoted(_ value: String) -> String {
    value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"") ? String(value.dropFirst().dropLast()) : value
}
