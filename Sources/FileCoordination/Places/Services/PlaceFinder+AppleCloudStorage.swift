extension PlaceFinder {
    /// `~/Library/Mobile Documents/com~apple~CloudDocs`, the folder behind iCloud Drive on Apple platforms.
    static let iCloud = PlaceFinder(service: .iCloud) { search in
        let folder = search.user.inHome("Library/Mobile Documents/com~apple~CloudDocs")
        if search.exists(folder) { search.add(folder, source: folder, basis: .assumed) }
    }
    /// Box Drive, on Apple platforms: below `~/Library/CloudStorage`.
    static let box = PlaceFinder(service: .box) { search in search.addCloudStorage("Box") }
    /// Proton Drive has no client for Linux; on Apple platforms it is below `~/Library/CloudStorage`.
    static let protonDrive = PlaceFinder(service: .protonDrive) { search in search.addCloudStorage("ProtonDrive") }
}

extension PlaceSearch {
    /// Since macOS 12.3 clients keep their folders below `~/Library/CloudStorage`, as `NAME` or `NAME-ACCOUNT`. With `inner`,
    /// the folder of that name in it is the one for the user's files.
    mutating func addCloudStorage(_ name: String, inner: String? = nil) {
        let folder = user.inHome("Library/CloudStorage")
        guard exists(folder) else { return }
        for entry in names(in: folder) where entry == name || entry.hasPrefix("\(name)-") {
            var path = "\(folder)/\(entry)"
            if let inner, exists("\(path)/\(inner)") { path += "/\(inner)" }
            let account = String(entry.dropFirst(name.count + 1))
            add(path, account: account, source: folder, basis: .mounted)
        }
    }
}
