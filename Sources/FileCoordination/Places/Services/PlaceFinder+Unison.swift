extension PlaceFinder {
    /// Profiles `*.prf` in `$UNISON` or `~/.unison`: lines `root = PATH`, as Unison's manual has them. Roots on other machines
    /// (`ssh://host/path`) are not here. Unison runs when it is told to, so changes may wait long.
    static let unison = PlaceFinder(service: .unison) { search in
        let home = search.user.home
        let folder =
            search.environment["UNISON"].flatMap { FolderPath.absolute($0, home: home) }
            ?? search.user.inHome(".unison")
        for name in search.names(in: folder) where name.hasSuffix(".prf") {
            let source = "\(folder)/\(name)"
            guard let text = search.text(at: source) else { continue }
            for root in INIText(text).values("root") where !root.contains("://") {
                search.add(root, account: String(name.dropLast(4)), source: source)
            }
        }
    }
}
