extension PlaceFinder {
    /// `Nextcloud/nextcloud.cfg`; see ``PlaceSearch/addQtClient(_:)``.
    static let nextcloud = PlaceFinder(service: .nextcloud) { search in
        search.addQtClient("Nextcloud/nextcloud.cfg")
        search.addCloudStorage("Nextcloud")
    }
    /// `ownCloud/owncloud.cfg`; see ``PlaceSearch/addQtClient(_:)``.
    static let ownCloud = PlaceFinder(service: .ownCloud) { search in
        search.addQtClient("ownCloud/owncloud.cfg")
        search.addCloudStorage("ownCloud")
    }
}

extension PlaceSearch {
    /// The settings of the ownCloud client and its descendants: in the section `Accounts`,
    /// `ACCOUNT\Folders\FOLDER\localPath` and `…\paused`. `Folders` may also be `Multifolders` or `FoldersWithPlaceholders`.
    fileprivate mutating func addQtClient(_ name: String) {
        var sources = configs.map { (path: "\($0.path)/\(name)", home: $0.home) }
        // Before 2.0, and on Apple platforms.
        sources.append((user.inHome(".local/share/data/\(name)"), user.home))
        sources.append((user.inHome("Library/Preferences/\(name)"), user.home))
        for source in sources {
            guard let text = text(at: source.path) else { continue }
            for share in QtClientSettings.folders(in: text) {
                add(
                    share.path, account: share.account, source: source.path, home: source.home, isPaused: share.isPaused
                )
            }
        }
    }
}

/// The part of `nextcloud.cfg` and `owncloud.cfg` that is about folders.
enum QtClientSettings {
    struct Share: Hashable {
        let path: String
        /// `user@host`, or one of them.
        let account: String
        let isPaused: Bool
    }

    static func folders(in text: String) -> [Share] {
        var values: [String: String] = [:]
        var folders: [(account: String, prefix: String)] = []
        for entry in INIText(text).entries where entry.section == "Accounts" {
            if values.updateValue(QtSettingsValue.decode(entry.value), forKey: entry.key) != nil { continue }
            let parts = entry.key.split(separator: "\\", omittingEmptySubsequences: false)
            let kinds = ["Folders", "Multifolders", "FoldersWithPlaceholders"]
            guard parts.count == 4, kinds.contains(String(parts[1])), parts[3] == "localPath" else { continue }
            folders.append((String(parts[0]), parts[..<3].joined(separator: "\\")))
        }
        return folders.map { folder in
            Share(
                path: values["\(folder.prefix)\\localPath"] ?? "", account: account(folder.account, values),
                isPaused: values["\(folder.prefix)\\paused"] == "true")
        }
    }

    private static func account(_ number: String, _ values: [String: String]) -> String {
        let user = values["\(number)\\dav_user"] ?? values["\(number)\\user"]
        let host = values["\(number)\\url"].map { url in
            let rest = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst(url.contains("://") ? 1 : 0)
            return String(rest.first ?? "")
        }
        return [user, host].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "@")
    }
}
