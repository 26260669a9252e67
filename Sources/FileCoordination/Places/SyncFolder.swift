/// A folder that a service keeps the same on several machines, as far as the service's own settings say.
public struct SyncFolder: Hashable, Sendable {
    /// Whether the folder can be worked in.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It is there, can be listed and written to, and changes travel both ways.
        case exists
        /// It is there, but the user has told the service to pause: changes wait.
        case paused
        /// Changes do not travel both ways: the service is set so, or this user cannot write there.
        case oneWay
        /// The system refuses to list it; see ``SyncFolder/problem``.
        case unreadable
        /// Something else than a folder is there.
        case notFolder
        /// The folder is there, but what should be mounted on it is not: what is written there goes nowhere.
        case notMounted
        /// Nothing is there: a disk may be away, or the settings may be old.
        case missing
    }

    /// How the folder is known.
    public enum Basis: String, Hashable, Sendable {
        /// The service's settings name it.
        case configured
        /// It is mounted now, by the system's mount table.
        case mounted
        /// The service's settings cannot be read, but its usual folder is there.
        case assumed
    }

    /// Whose folder it is.
    public let service: SyncService
    /// The account, or the name the service or its user gave to the folder, where there is one.
    public let account: String?
    /// Where it is: an absolute path without a slash at its end.
    public let path: String
    /// The file that says so, or the folder or mount table that was looked at.
    public let source: String
    /// How it is known.
    public let basis: Basis
    /// Whether it can be worked in, when it was looked at.
    public let state: State
    /// What the system said, if the folder could not be looked at or written to.
    public let problem: FileCoordinationError?

    /// A folder with everything known about it.
    public init(
        service: SyncService, account: String? = nil, path: String, source: String, basis: Basis = .configured,
        state: State, problem: FileCoordinationError? = nil
    ) {
        self.service = service
        self.account = account
        self.path = path
        self.source = source
        self.basis = basis
        self.state = state
        self.problem = problem
    }

    /// Whether an application may keep its files there: it exists, if only paused.
    public var isUsable: Bool { state == .exists || state == .paused }
}

/// Settings of a service that could not be read, or do not say what they should.
public struct PlaceProblem: Hashable, Sendable, CustomStringConvertible {
    /// Whose settings.
    public let service: SyncService
    /// Which file, what is wrong with it, and what a person can do.
    public let error: FileCoordinationError

    /// A problem with settings of the service.
    public init(service: SyncService, error: FileCoordinationError) {
        self.service = service
        self.error = error
    }

    /// "Dropbox: cannot read …; …".
    public var description: String { "\(service): \(error)" }
}

extension FileCoordinationError.Code {
    /// The content of a file of another program is not what its format says.
    public static let malformed = Self(rawValue: "malformed")
    /// The content is of a kind that this package does not read: a database, or encrypted.
    public static let opaque = Self(rawValue: "opaque")
}

extension FileCoordinationError {
    /// The settings of another program are broken.
    static func malformed(_ path: String, because reason: String) -> Self {
        Self(
            .malformed, .read, path: path, because: reason,
            remedy: "open the service's own settings and save them, or give the folder's path yourself")
    }

    /// The settings of another program are not for others to read.
    static func opaque(_ path: String, because reason: String) -> Self {
        Self(.opaque, .read, path: path, because: reason, remedy: "give the folder's path yourself")
    }
}
