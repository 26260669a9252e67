/// A name with its tags taken off one after another, and where each of the names beneath is.
struct ConflictChain {
    struct Link {
        var reading: ConflictName
        /// The place of the original in its folder.
        var found: Int?
    }

    /// The outermost first; never empty.
    var links: [Link]
    /// Whether an original of the same sort (file or folder) is there, at whatever depth.
    var isSupported: Bool
}

/// Decides which way to read a name, by what lies beside it.
struct ConflictPairing {
    let folder: FolderNames
    let deviceNames: Set<String>
    private var budget = 0

    /// Copies of copies of copies … are taken apart so far.
    private static let deepest = 16

    init(_ folder: FolderNames, deviceNames: Set<String>) {
        self.folder = folder
        self.deviceNames = deviceNames
    }

    /// The best reading all the way down, or nil if the name is ordinary here: an original is wanted, and none is there.
    mutating func chain(of name: String, isFolder: Bool) -> ConflictChain? {
        // A hostile name has many ways to be split at each depth.
        budget = 64
        return chain(of: name, isFolder: isFolder, depth: 1)
    }

    private mutating func chain(of name: String, isFolder: Bool, depth: Int) -> ConflictChain? {
        var best: ConflictChain?
        for reading in ConflictName.readings(of: name, deviceNames: deviceNames) {
            if let best, best.links[0].reading.strength > reading.strength { break }
            budget -= 1
            if budget < 0 { break }
            let next = link(reading, isFolder: isFolder, depth: depth)
            if reading.strength == .weak, !next.isSupported { continue }
            if next.isSupported { return next }
            best = best ?? next
        }
        return best
    }

    private mutating func link(_ reading: ConflictName, isFolder: Bool, depth: Int) -> ConflictChain {
        var found = folder.find(reading.original, reading.kind)
        if found == nil, reading.mayBeCut { found = folder.findWhole(reading.original) }
        let isSameSort = found.map { folder.names.kind($0).map { ($0 == .directory) == isFolder } ?? true } ?? false
        var links = [ConflictChain.Link(reading: reading, found: found)]
        var isSupported = isSameSort
        if depth < Self.deepest, let inner = chain(of: spelling(links[0]), isFolder: isFolder, depth: depth + 1) {
            links += inner.links
            isSupported = isSupported || inner.isSupported
        }
        return ConflictChain(links: links, isSupported: isSupported)
    }

    /// As it is on disk if it is there.
    func spelling(_ link: ConflictChain.Link) -> String {
        link.found.flatMap { folder.names.name($0) } ?? link.reading.original
    }
}
