extension PlaceFinder {
    /// `maestral/NAME.ini` in the folder of settings, one for each account: `path` in the section `sync`, in older
    /// versions `main`. Documented by Maestral under "Configuration file".
    static let maestral = PlaceFinder(service: .maestral) { search in
        var folders = search.configs.map { (path: "\($0.path)/maestral", home: $0.home) }
        folders.append((search.user.inHome("Library/Application Support/maestral"), search.user.home))
        for folder in folders {
            for name in search.names(in: folder.path) where name.hasSuffix(".ini") {
                let source = "\(folder.path)/\(name)"
                guard let text = search.text(at: source) else { continue }
                let settings = INIText(text, continues: true)
                guard let path = settings.value("path", in: "sync") ?? settings.value("path", in: "main") else {
                    continue
                }
                // What is not set yet is written as nothing or as Python's None.
                if path.isEmpty || path == "None" { continue }
                search.add(path, account: String(name.dropLast(4)), source: source, home: folder.home)
            }
        }
    }
}
