import Foundation

extension PlaceFinder {
    /// `~/.dropbox/info.json`, which Dropbox documents for this purpose: an object for each account (`personal`, `business`)
    /// with its `path`. Older versions have `host.db`, whose second line is the path in Base64.
    static let dropbox = PlaceFinder(service: .dropbox) { search in
        for home in search.homes {
            let info = "\(home.path)/.dropbox/info.json"
            if let accounts = search.json(at: info) {
                search.addAccounts(accounts, source: info, home: home.home)
            }
            if !search.hasFound { search.addLegacyDropbox("\(home.path)/.dropbox/host.db", home: home.home) }
        }
        search.addCloudStorage("Dropbox")
    }
}

extension PlaceSearch {
    fileprivate mutating func addAccounts(_ accounts: Any, source: String, home: String) {
        guard let accounts = accounts as? [String: Any] else {
            return report(.malformed(source, because: "it holds no object of accounts"))
        }
        // The order of a JSON object says nothing: the user's own account first, then by name.
        let names = accounts.keys.sorted { ($0 == "personal" ? "" : $0) < ($1 == "personal" ? "" : $1) }
        for name in names {
            guard let path = (accounts[name] as? [String: Any])?["path"] as? String else {
                report(.malformed(source, because: "its account '\(name)' has no path"))
                continue
            }
            add(path, account: name, source: source, home: home)
        }
    }

    fileprivate mutating func addLegacyDropbox(_ path: String, home: String) {
        guard let text = text(at: path) else { return }
        let lines = text.settingsLines
        guard lines.count > 1, let data = Data(base64Encoded: String(lines[1].trimmed)),
            let folder = String(validating: data, as: UTF8.self), !folder.isEmpty
        else { return report(.malformed(path, because: "its second line is no path in Base64")) }
        add(folder, source: path, home: home)
    }
}
