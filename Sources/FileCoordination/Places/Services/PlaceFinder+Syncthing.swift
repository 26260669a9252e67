extension PlaceFinder {
    /// `config.xml` in `$STCONFDIR`, `$STHOMEDIR`, or the places that `syncthing-config(5)` names: since version 1.27 the
    /// folder of state, before that the folder of settings. Each `folder` below the root has `path`, `label`, `type` and
    /// `paused`; one below `defaults` is only a pattern.
    static let syncthing = PlaceFinder(service: .syncthing) { search in
        var folders: [UserDirectories.Place] = ["STCONFDIR", "STHOMEDIR"].compactMap { variable in
            guard let path = search.environment[variable].flatMap({ FolderPath.absolute($0, home: search.user.home) })
            else { return nil }
            return .init(path: path, home: search.user.home)
        }
        folders += (search.states + search.configs).map { .init(path: "\($0.path)/syncthing", home: $0.home) }
        folders.append(
            .init(path: search.user.inHome("Library/Application Support/Syncthing"), home: search.user.home))
        var read: Set<PathKey> = []
        for folder in folders where read.insert(PathKey(folder.path)).inserted {
            let source = "\(folder.path)/config.xml"
            guard let text = search.text(at: source) else { continue }
            do throws(XMLReader.Malformed) {
                for share in try SyncthingSettings.folders(in: text) {
                    search.add(
                        share.path, account: share.label, source: source, home: folder.home, isPaused: share.isPaused,
                        isOneWay: share.isOneWay)
                }
            } catch {
                search.report(.malformed(source, because: "line \(error.line) has \(error.what)"))
            }
        }
    }
}

/// The part of Syncthing's `config.xml` that is about folders.
enum SyncthingSettings {
    struct Share: Hashable {
        var label = ""
        var path = ""
        var isPaused = false
        var isOneWay = false
    }

    static func folders(in text: String) throws(XMLReader.Malformed) -> [Share] {
        var reader = XMLReader(text)
        var shares: [Share] = []
        var open: [String] = []
        var share: Share?
        while let event = try reader.next() {
            switch event {
            case .start(let name, let attributes):
                open.append(name)
                if open == ["configuration", "folder"] { share = Share(attributes) }
            case .text(let text):
                let value = String(Substring(text).trimmed)
                if open == ["configuration", "folder", "paused"] { share?.isPaused = value == "true" }
                // A kind of folder for tests of Syncthing, which is on no disk.
                if open == ["configuration", "folder", "filesystemType"], value == "fake" { share = nil }
            case .end:
                if open == ["configuration", "folder"], let found = share {
                    if !found.path.isEmpty { shares.append(found) }
                    share = nil
                }
                open.removeLast()
            }
        }
        return shares
    }
}

extension SyncthingSettings.Share {
    fileprivate init(_ attributes: [String: String]) {
        let label = attributes["label"] ?? ""
        self.label = label.isEmpty ? attributes["id"] ?? "" : label
        path = attributes["path"] ?? ""
        isPaused = attributes["paused"] == "true"
        // "readwrite" and "readonly" are the names of before 0.14.50; no type at all means both ways.
        isOneWay = !["sendreceive", "readwrite", "", nil].contains(attributes["type"])
    }
}
