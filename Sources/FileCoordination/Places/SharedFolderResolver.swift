import Foundation

/// Finds the folders that the user's sync services keep, from the services' own settings.
///
/// It reads a few small files below the user's home and the system's mount table, writes nothing and starts nothing. All
/// that is read is foreign: files are read up to a limit, and what is broken becomes a ``PlaceProblem``, never a trap. Which
/// files are read for which service is listed in <doc:FindingSharedFolders>.
///
/// Calls block on the disk, for as long as a mount that does not answer makes `stat(2)` wait: make them on a thread that may
/// block.
public struct SharedFolderResolver: Sendable {
    /// All that was found.
    public struct Findings: Hashable, Sendable {
        /// The folders, in the order of ``SyncService/findable``, and of one service in the order of its settings.
        public var folders: [SyncFolder] = []
        /// Settings that could not be made use of.
        public var problems: [PlaceProblem] = []
    }

    /// The environment variable in which a user names the services to prefer, separated by commas, as in
    /// `Syncthing,Dropbox`. Upper and lower case are the same; a name that is no service's is reported as a problem.
    public static let preferenceVariable = "FOLDERSYNC_SERVICE"

    let user: UserDirectories
    let environment: [String: String]
    let files: any FileSystem
    let system: SystemPlaces

    /// A resolver for this user.
    ///
    /// - Parameters:
    ///   - home: The user's home; nil for `$HOME` if it is absolute, else what the system's user database says.
    ///   - environment: `XDG_CONFIG_HOME` and its like, and the variables of the services; nil for the process's own.
    ///   - files: The seam to the disk.
    public init(
        home: String? = nil, environment: [String: String]? = nil, files: any FileSystem = .local
    ) {
        self.init(
            home: home, environment: environment ?? ProcessInfo.processInfo.environment, files: files,
            system: SystemPlaces())
    }

    init(home: String?, environment: [String: String], files: any FileSystem, system: SystemPlaces) {
        user = UserDirectories(home: home, environment: environment)
        self.environment = environment
        self.files = files
        self.system = system
    }

    /// Every folder of every known service, whatever its state, and every problem met on the way.
    public func candidates() -> Findings {
        var search = PlaceSearch(resolver: self)
        for finder in PlaceFinder.all { search.run(finder) }
        return Findings(folders: search.folders, problems: unknownPreferences + search.problems)
    }

    /// What the user asked for, in order.
    var preferredByUser: [SyncService] {
        let names = environment[Self.preferenceVariable]?.split(separator: ",") ?? []
        return names.map { SyncService(rawValue: String($0.trimmed)) }
    }

    private var unknownPreferences: [PlaceProblem] {
        let known = Set(SyncService.findable.map { $0.rawValue.lowercased() })
        return preferredByUser.filter { !known.contains($0.rawValue.lowercased()) }.map { service in
            let error = FileCoordinationError(
                .invalidName, .find, path: "$" + Self.preferenceVariable,
                because: "no service has the name '\(service)'",
                remedy: "use the names that are shown")
            return PlaceProblem(service: service, error: error)
        }
    }
}

/// The files outside the user's home that are looked at.
struct SystemPlaces: Sendable {
    /// See `proc_pid_mountinfo(5)`.
    var mountTable = "/proc/self/mountinfo"
    /// Where settings for all users are.
    var settings = "/etc"
}

extension SyncService {
    /// The services whose folders ``SharedFolderResolver`` can find, the preferred ones first.
    ///
    /// Services with one folder for all of a user's files come before those with folders for single purposes, copies on the
    /// disk before mounts, and programs that run on demand last.
    public static let findable = PlaceFinder.all.map(\.service)
}
