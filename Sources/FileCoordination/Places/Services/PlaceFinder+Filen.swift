extension PlaceFinder {
    /// `filen-cli/syncPairs.json` in the folder of settings or `~/.filen-cli/syncPairs.json`, as the program's README has it:
    /// a list of `local`, `remote`, `syncMode` and perhaps `alias`. The desktop client's settings are its own; its usual
    /// folder is looked for.
    static let filen = PlaceFinder(service: .filen) { search in
        var sources = search.configs.map { (path: "\($0.path)/filen-cli/syncPairs.json", home: $0.home) }
        sources.append((search.user.inHome(".filen-cli/syncPairs.json"), search.user.home))
        for source in sources {
            guard let pairs = search.json(at: source.path) else { continue }
            search.addPairs(pairs, source: source.path, home: source.home)
        }
        search.assume(
            ["Filen"], if: search.configs.map { "\($0.path)/@filen/desktop" }, because: "its settings are its own")
    }
}

extension PlaceSearch {
    fileprivate mutating func addPairs(_ pairs: Any, source: String, home: String) {
        guard let pairs = pairs as? [Any] else {
            return report(.malformed(source, because: "it holds no list of pairs"))
        }
        for pair in pairs {
            guard let pair = pair as? [String: Any], let path = pair["local"] as? String else {
                report(.malformed(source, because: "one of its pairs has no 'local'"))
                continue
            }
            let name = pair["alias"] as? String ?? pair["remote"] as? String
            add(path, account: name, source: source, home: home, isOneWay: pair["syncMode"] as? String != "twoWay")
        }
    }
}
