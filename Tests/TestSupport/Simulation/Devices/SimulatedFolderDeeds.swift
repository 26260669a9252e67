/// What a device did in the shared folder: which files it put there, removed and opened, and what it had no right to.
struct SimulatedFolderDeeds {
    /// The folders with a slash at their end; none: nothing is noted.
    var folders: [String] = []
    /// Directories of the folder that it changed something in, or what it changed in the folder itself.
    private(set) var touched: Set<String> = []
    /// Files that it put into the folder, ever: it may remove those.
    private var everWritten: Set<String> = []
    /// Files that it put into the folder, in order.
    private(set) var written: [String] = []
    /// Files that it removed, and did not write again after that.
    private(set) var removed: [String] = []
    /// What it opened for reading.
    private(set) var opened: [String] = []
    /// What it removed and had not written.
    private(set) var trespasses: [String] = []

    mutating func note(_ call: SimulatedFolderCall) {
        guard let folder = folders.first(where: call.path.hasPrefix) else { return }
        let name = String(call.path.dropFirst(folder.count))
        if call.kind == .open { opened.append(name) }
        guard call.kind.changes else { return }
        let parts = name.split(separator: "/", maxSplits: 1)
        touched.insert(parts.first.map(String.init) ?? name)
        let isTemporary = parts.last?.hasPrefix("~syncthing~") ?? false
        switch call.kind {
        case .rename:
            written.append(name)
            removed.removeAll { $0 == name }
            everWritten.insert(name)
        case .remove where !isTemporary:
            removed.append(name)
            if !everWritten.contains(name) { trespasses.append("remove \(name), which it did not write") }
        default: break
        }
    }

    /// All of it, and begins anew.
    mutating func taken() -> SimulatedFolderDeeds {
        let all = self
        written = []
        removed = []
        opened = []
        trespasses = []
        touched = []
        return all
    }
}
