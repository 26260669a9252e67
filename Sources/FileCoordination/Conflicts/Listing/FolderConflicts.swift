/// The conflict copies in one folder, and its subfolders.
struct FolderConflicts {
    var conflicts: [Conflict] = []
    var temporary: [TemporaryItem] = []
    var subfolders: [String] = []

    /// Reads the folder once. Entries that go meanwhile are left out.
    init(
        of folder: String, in files: any FileSystem, _ options: ConflictListingOptions, followLinks: Bool
    ) throws(Errno) {
        let flags: OpenOptions = followLinks ? [.read, .directory] : [.read, .directory, .noFollow]
        let directory = try files.open(folder, flags)
        self = try files.closing(directory) { () throws(Errno) in
            try FolderConflicts(of: folder, directory, files, options)
        }
    }

    private init(
        of folder: String, _ directory: OpenFile, _ files: any FileSystem, _ options: ConflictListingOptions
    ) throws(Errno) {
        var names = NameArena()
        var folders: [Int] = []
        var candidates = CandidateNames(deviceNames: options.deviceNames)
        try files.visitEntries(of: directory) { name, kind in
            candidates.look(at: name, names.indices.count)
            if kind == .directory || kind == nil { folders.append(names.indices.count) }
            names.append(name, kind)
            return true
        }
        if options.isRecursive { try findSubfolders(folders, names, of: folder, directory, files) }
        if options.listsTemporary { findTemporary(names, of: folder) }
        if candidates.isEmpty { return }
        let look = FolderLook(folder: folder, directory: directory, files: files)
        let beside = FolderNames(names, by: candidates.hash)
        var pairing = ConflictPairing(beside, deviceNames: options.deviceNames)
        var found: [(conflict: Conflict, chain: ConflictChain)] = []
        for place in candidates.places(beside: beside) {
            guard let name = names.name(place), TemporaryNames.classify(name) == nil,
                let attributes = try look.attributes(name),
                let chain = pairing.chain(of: name, isFolder: attributes.kind == .directory)
            else { continue }
            found.append((try look.conflict(name, attributes, chain, pairing), chain))
        }
        conflicts = Self.grade(found)
    }

    private mutating func findSubfolders(
        _ places: [Int], _ names: NameArena, of folder: String, _ directory: OpenFile, _ files: any FileSystem
    ) throws(Errno) {
        for place in places {
            guard let name = names.name(place), !TemporaryNames.isTemporary(name) else { continue }
            if names.kind(place) == nil {
                // Some file systems do not say in the listing.
                let look = FolderLook(folder: folder, directory: directory, files: files)
                guard try look.attributes(name)?.kind == .directory else { continue }
            }
            subfolders.append(FilePlace.join(folder, name))
        }
    }

    private mutating func findTemporary(_ names: NameArena, of folder: String) {
        for place in names.indices {
            guard let name = names.name(place), let kind = TemporaryNames.classify(name) else { continue }
            let isFolder = names.kind(place).map { $0 == .directory }
            temporary.append(TemporaryItem(path: FilePlace.join(folder, name), kind: kind, isFolder: isFolder))
        }
    }

    /// A mark without a date is worth more with an original beside it, or with a second copy of the same service: some
    /// services rename both sides.
    private static func grade(_ found: [(conflict: Conflict, chain: ConflictChain)]) -> [Conflict] {
        struct Variant: Hashable {
            var root: ConflictRoot
            var service: SyncService
        }
        var counts: [Variant: Int] = [:]
        for (conflict, chain) in found where chain.links[0].reading.strength == .medium {
            counts[Variant(root: ConflictRoot(conflict), service: conflict.service), default: 0] += 1
        }
        return found.map { conflict, chain in
            var conflict = conflict
            switch chain.links[0].reading.strength {
            case .strong: conflict.confidence = .certain
            case .medium:
                let hasSecond = counts[Variant(root: ConflictRoot(conflict), service: conflict.service), default: 0] > 1
                conflict.confidence = chain.isSupported || hasSecond ? .probable : .possible
            case .weak: conflict.confidence = .possible
            }
            return conflict
        }
    }
}

/// Asks for attributes in a folder that is open, so that all answers are about the same folder.
private struct FolderLook {
    let folder: String
    let directory: OpenFile
    let files: any FileSystem

    /// Nil if it is gone.
    func attributes(_ name: String) throws(Errno) -> FileAttributes? {
        do { return try files.attributes(ofEntry: Array(name.utf8), in: directory) } catch {
            if error == .noSuchFile { return nil }
            throw error
        }
    }

    func conflict(
        _ name: String, _ attributes: FileAttributes, _ chain: ConflictChain, _ pairing: ConflictPairing
    ) throws(Errno) -> Conflict {
        let (first, last) = (chain.links[0], chain.links[chain.links.count - 1])
        let (original, root) = (pairing.spelling(first), pairing.spelling(last))
        let rootState = last.found == nil ? nil : try self.attributes(root).map { Conflict.State($0) }
        return Conflict(
            path: FilePlace.join(folder, name), original: FilePlace.join(folder, original),
            originalExists: chain.links.count == 1 ? rootState != nil : first.found != nil,
            root: FilePlace.join(folder, root), rootExists: rootState != nil, services: first.reading.services,
            kind: first.reading.kind, confidence: .possible, date: first.reading.date, who: first.reading.who,
            number: first.reading.number, isFolder: attributes.kind == .directory, state: Conflict.State(attributes),
            rootState: rootState)
    }
}
