extension PlaceFinder {
    /// The configuration file, JSON with comments, as `rslsync --dump-sample-config` documents it: `shared_folders`, each with
    /// `dir` and a `secret` that begins with B or F where changes only come. Folders added in the program's own pages are in
    /// a binary file of its `storage_path`; then its usual folder is looked for.
    static let resilio = PlaceFinder(service: .resilio) { search in
        var sources = search.configs.flatMap { config in
            ["resilio-sync/config.json", "resilio-sync/user_config.json", "rslsync/rslsync.conf"].map {
                (path: "\(config.path)/\($0)", home: config.home)
            }
        }
        for name in ["resilio-sync/user_config.json", "resilio-sync/config.json", "rslsync.conf"] {
            sources.append(("\(search.system.settings)/\(name)", search.user.home))
        }
        for source in sources {
            guard let settings = search.json(at: source.path) else { continue }
            search.addResilio(settings, source: source.path, home: source.home)
        }
        let storages = search.configs.map { "\($0.path)/resilio-sync" } + [search.user.inHome(".sync")]
        if !search.hasFound {
            search.assume(
                ["Resilio Sync"], if: storages.map { "\($0)/sync.dat" },
                because: "its folders are listed in a binary file")
        }
    }
}

extension PlaceSearch {
    fileprivate mutating func addResilio(_ settings: Any, source: String, home: String) {
        guard let settings = settings as? [String: Any] else {
            return report(.malformed(source, because: "it holds no object"))
        }
        guard let shares = settings["shared_folders"] else { return }
        guard let shares = shares as? [Any] else {
            return report(.malformed(source, because: "its 'shared_folders' is no list"))
        }
        for share in shares {
            guard let share = share as? [String: Any], let path = share["dir"] as? String else {
                report(.malformed(source, because: "one of its 'shared_folders' has no 'dir'"))
                continue
            }
            let secret = share["secret"] as? String ?? ""
            add(
                path, account: FolderPath.name(of: path), source: source, home: home,
                isOneWay: secret.hasPrefix("B") || secret.hasPrefix("F"))
        }
    }
}
