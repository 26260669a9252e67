// Clients whose settings are SQLite databases or encrypted, which this package does not read: only their usual folders can
// be looked for.

extension PlaceFinder {
    /// `MEGAsync.cfg` is encrypted with a key of the machine, MEGAcmd's settings (`~/.megaCmd`) are in the SDK's own database.
    static let mega = PlaceFinder(service: .mega) { search in
        let data = search.user.dataFolders.map { "\($0)/data" } + [search.user.inHome(".local/share/data")]
        search.assume(
            ["MEGA"],
            if: data.map { "\($0)/Mega Limited/MEGAsync/MEGAsync.cfg" } + [search.user.inHome(".megaCmd")],
            because: "its settings are encrypted")
        search.addCloudStorage("MEGA")
    }

    /// `~/.SynologyDrive/data/db/sys.sqlite`.
    static let synologyDrive = PlaceFinder(service: .synologyDrive) { search in
        search.assume(
            ["SynologyDrive"], if: [search.user.inHome(".SynologyDrive/data/db/sys.sqlite")],
            because: "its settings are a database")
        search.addCloudStorage("SynologyDrive")
    }

    /// `kDrive/.parms.db` in the folder of settings.
    static let kDrive = PlaceFinder(service: .kDrive) { search in
        search.assume(
            ["kDrive"], if: search.configs.map { "\($0.path)/kDrive/.parms.db" }, because: "its settings are a database"
        )
        search.addCloudStorage("kDrive")
    }

    /// Databases in `Insync` in the folder of settings. Its base folders are `~/Insync/ACCOUNT/SERVICE`.
    static let insync = PlaceFinder(service: .insync) { search in
        guard let settings = search.configs.map({ "\($0.path)/Insync" }).first(where: search.exists) else { return }
        let base = search.user.inHome("Insync")
        for account in search.names(in: base) where !account.hasPrefix(".") {
            let services = ["Google Drive", "OneDrive", "Dropbox"].map { "\(base)/\(account)/\($0)" }
            for folder in services where search.exists(folder) {
                search.add(folder, account: account, source: settings, basis: .assumed)
            }
        }
        if !search.hasFound { search.report(.opaque(settings, because: "its settings are databases")) }
    }
}

extension PlaceSearch {
    /// Notes the folders in the home that are there, if any of the settings is; reports the settings if none is.
    mutating func assume(_ names: [String], if settings: [String], because reason: String) {
        guard let settings = settings.first(where: exists) else { return }
        for folder in names.map(user.inHome) where exists(folder) {
            add(folder, source: settings, basis: .assumed)
        }
        if !hasFound { report(.opaque(settings, because: reason)) }
    }
}
