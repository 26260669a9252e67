/// What a service's finder works with: it reads settings and notes folders and problems.
struct PlaceSearch {
    /// More folders than this in one service's settings are no longer what a person set up.
    static let mostFolders = 1000
    /// Settings are some kilobytes, in the largest setups some hundred.
    static let largestSettings = 4 << 20
    /// No folder of settings has more entries; what is beyond is not looked at.
    static let mostEntries = 10_000

    let user: UserDirectories
    let environment: [String: String]
    let files: any FileSystem
    let system: SystemPlaces
    /// Sandboxed programs' folders, where a program sees its home.
    private let sandboxes: [Sandbox]
    private var service = SyncService(rawValue: "")
    private var isFull = false
    private var known: Set<PathKey> = []
    private(set) var folders: [SyncFolder] = []
    private(set) var problems: [PlaceProblem] = []

    init(resolver: SharedFolderResolver) {
        user = resolver.user
        environment = resolver.environment
        files = resolver.files
        system = resolver.system
        sandboxes = Sandbox.all(of: resolver.user, in: resolver.files)
    }

    mutating func run(_ finder: PlaceFinder) {
        service = finder.service
        known = []
        isFull = false
        finder.find(&self)
    }

    /// Whether this service has a folder so far.
    var hasFound: Bool { !known.isEmpty }

    mutating func report(_ error: FileCoordinationError) {
        problems.append(PlaceProblem(service: service, error: error))
    }

    /// Notes a folder that settings name, and looks whether it is there. `~` stands for `home`, by default the user's.
    mutating func add(
        _ written: String, account: String? = nil, source: String, home: String? = nil,
        basis: SyncFolder.Basis = .configured, isPaused: Bool = false, isOneWay: Bool = false
    ) {
        guard !written.isEmpty else { return }
        guard !written.utf8.contains(0), let path = FolderPath.absolute(written, home: home ?? user.home) else {
            return report(.malformed(source, because: "its folder '\(written)' is no absolute path"))
        }
        guard !known.contains(PathKey(path)), !isFull else { return }
        guard known.count < Self.mostFolders else {
            isFull = true
            return report(.malformed(source, because: "it names more than \(Self.mostFolders) folders"))
        }
        known.insert(PathKey(path))
        var (state, problem) = look(at: path)
        if state == .exists { state = isOneWay ? .oneWay : isPaused ? .paused : .exists }
        folders.append(
            SyncFolder(
                service: service, account: account.flatMap { $0.isEmpty ? nil : $0 }, path: path, source: source,
                basis: basis, state: state, problem: problem))
    }

    /// Notes a mount point on which nothing is mounted.
    mutating func addUnmounted(_ path: String, source: String) {
        guard known.insert(PathKey(path)).inserted else { return }
        let state = look(at: path).state
        folders.append(
            SyncFolder(
                service: service, path: path, source: source, basis: .assumed,
                state: state == .exists ? .notMounted : state))
    }

    private func look(at path: String) -> (state: SyncFolder.State, problem: FileCoordinationError?) {
        do {
            guard try files.attributes(at: path, followLinks: true).kind == .directory else { return (.notFolder, nil) }
            try files.close(try files.open(path, [.read, .directory]))
        } catch {
            switch error {
            case .noSuchFile: return (.missing, nil)
            case .notDirectory: return (.notFolder, nil)
            default: return (.unreadable, .listing(path, error))
            }
        }
        do { try files.checkWritable(path) } catch { return (.oneWay, .writing(path, error)) }
        return (.exists, nil)
    }
}

extension PlaceSearch {
    /// The user's folders of settings, then those of sandboxed programs.
    var configs: [UserDirectories.Place] {
        user.configFolders.map { .init(path: $0, home: user.home) } + sandboxes.flatMap(\.configs)
    }

    /// The user's folders of state, then those of sandboxed programs.
    var states: [UserDirectories.Place] {
        user.stateFolders.map { .init(path: $0, home: user.home) } + sandboxes.flatMap(\.states)
    }

    /// Where programs make folders of their own whose names start with a dot.
    var homes: [UserDirectories.Place] {
        [.init(path: user.home, home: user.home)] + sandboxes.flatMap(\.homes)
    }
}
