extension SharedFolderResolver {
    /// The folder that an application is to use.
    public enum Resolution: Hashable, Sendable {
        /// A service's folder; the path is the folder itself or the asked subfolder of it, which need not exist yet.
        case found(SyncFolder, path: String)
        /// A folder that no service keeps in sync: the user is to be told.
        case fellBack(to: String, why: Fallback)

        /// The chosen folder, whichever it is.
        public var path: String {
            switch self {
            case .found(_, let path), .fellBack(let path, _): path
            }
        }
    }

    /// Why no service's folder is used.
    public struct Fallback: Hashable, Sendable, CustomStringConvertible {
        /// Folders that are known but cannot be used, with their states.
        public let unusable: [SyncFolder]
        /// Settings that could not be read.
        public let problems: [PlaceProblem]

        /// In a sentence without its end.
        public var description: String {
            if let folder = unusable.first {
                return "the \(folder.service) folder '\(folder.path)' cannot be used: \(folder.state.explanation)"
            }
            if let problem = problems.first { return problem.description }
            return "no sync service with a folder was found"
        }
    }

    /// Chooses a folder for an application, always the same one for the same findings. Makes nothing.
    ///
    /// Of the folders that can be used (see ``SyncFolder/isUsable``) the first by these rules, each deciding where those
    /// before it do not:
    ///
    /// 1. the services that the user named in ``preferenceVariable``, then those in `preferring`, in their order;
    /// 2. a folder in which the subfolder exists already, so that a service installed later moves nothing;
    /// 3. a service that runs before one that is paused;
    /// 4. a folder that settings or the mount table name before one that is only assumed;
    /// 5. the order of ``SyncService/findable``, then that of the service's settings.
    ///
    /// - Parameters:
    ///   - subfolder: A relative path below the service's folder, for example the application's name; nil for the folder
    ///     itself.
    ///   - fallback: Where to go if no folder can be used; by default the subfolder in `$XDG_DATA_HOME` or
    ///     `~/.local/share`, on Apple platforms in `~/Library/Application Support`.
    ///   - preferring: Services that the application puts first.
    /// - Throws: ``FileCoordinationError`` with `.invalidName` for a subfolder that is absolute, empty, leaves the folder by
    ///   `..`, or has a part that is `.` or empty.
    public func resolve(
        subfolder: String? = nil, fallback: String? = nil, preferring: [SyncService] = []
    ) throws(FileCoordinationError) -> Resolution {
        try resolve(in: candidates(), subfolder: subfolder, fallback: fallback, preferring: preferring)
    }

    /// The same for findings that were made before.
    public func resolve(
        in findings: Findings, subfolder: String? = nil, fallback: String? = nil, preferring: [SyncService] = []
    ) throws(FileCoordinationError) -> Resolution {
        if let subfolder { try Self.check(subfolder) }
        let order = (preferredByUser + preferring).map { $0.rawValue.lowercased() }
        let usable = findings.folders.filter(\.isUsable)
        let ranked = usable.enumerated().min {
            rank($0, order, subfolder).lexicographicallyPrecedes(rank($1, order, subfolder))
        }
        if let folder = ranked?.element { return .found(folder, path: Self.path(in: folder.path, subfolder)) }
        return .fellBack(
            to: fallback ?? Self.path(in: user.localData, subfolder),
            why: Fallback(unusable: findings.folders, problems: findings.problems))
    }

    private func rank(
        _ candidate: (offset: Int, element: SyncFolder), _ order: [String], _ subfolder: String?
    ) -> [Int] {
        let folder = candidate.element
        return [
            order.firstIndex(of: folder.service.rawValue.lowercased()) ?? order.count,
            subfolder.map { exists(Self.path(in: folder.path, $0)) } ?? false ? 0 : 1,
            folder.state == .paused ? 1 : 0,
            folder.basis == .assumed ? 1 : 0,
            candidate.offset,
        ]
    }

    private func exists(_ path: String) -> Bool {
        do { return try files.attributes(at: path, followLinks: true).kind == .directory } catch { return false }
    }

    private static func path(in folder: String, _ subfolder: String?) -> String {
        subfolder.map { FilePlace.join(folder, $0) } ?? folder
    }

    private static func check(_ subfolder: String) throws(FileCoordinationError) {
        let parts = subfolder.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !["", ".", ".."].contains($0) }), !subfolder.utf8.contains(0) else {
            throw FileCoordinationError(
                .invalidName, Operation.find, path: subfolder, because: "it is no relative path below a folder",
                remedy: "give a name, or names separated by single slashes")
        }
    }

    private typealias Operation = FileCoordinationError.Operation
}

extension FileCoordinationError.Operation {
    /// Finding a folder of a service.
    static let find = Self(rawValue: "find a folder for")
}

extension SyncFolder.State {
    /// The state in words.
    public var explanation: String {
        switch self {
        case .exists: "it is there"
        case .paused: "its service is paused"
        case .oneWay: "changes do not travel both ways"
        case .unreadable: "the system refuses to list it"
        case .notFolder: "it is not a folder"
        case .notMounted: "nothing is mounted there"
        case .missing: "it is not there"
        }
    }
}
