public import FileCoordination
import LLVSCore
import Synchronization

/// What can go wrong with a device, and what it does in the folder: it dies at a call, a call fails, the folder refuses
/// writes, and whatever it writes or removes is noted.
///
/// The file system and the storage of one device share it. After its death every call fails and nothing more is written, as
/// after `kill -9`.
public final class SimulatedFolderMortality: Sendable {
    private struct State {
        var calls = 0
        var deadline = Int.max
        var deeds = 0
        var lastDeed = Int.max
        var failing: (call: Int, errno: Errno)?
        var readOnlyBelow: String?
        var changes = 0
        var watched = ""
        var isDead = false
        var lastBreath = ""
        var record = SimulatedFolderDeeds()
    }
    private let state = Mutex(State())

    /// A device in good health.
    public init() {}

    /// How many calls were made.
    public var calls: Int { state.withLock { $0.calls } }
    /// How many calls that change something were made below the watched folder.
    public var changes: Int { state.withLock { $0.changes } }
    /// Whether it has died.
    public var isDead: Bool { state.withLock { $0.isDead } }

    /// What it was about to do when it died.
    public var lastBreath: String { state.withLock { $0.lastBreath } }

    /// Counts changes below the folder from now on.
    public func watch(_ folder: String) {
        state.withLock {
            $0.changes = 0
            $0.watched = folder + "/"
        }
    }

    /// Dies at the call of this number from now, 1 for the next.
    public func die(atCall number: Int) { state.withLock { $0.deadline = $0.calls + number } }

    /// Dies before the next but so many of its deeds: calls that change the disk, beginnings and ends of transactions of the
    /// store. A death between two calls that only look is the same as one before the next deed.
    public func die(atDeed number: Int) { state.withLock { $0.lastDeed = $0.deeds + number } }

    /// Lives again, as a new process does.
    public func revive() {
        state.withLock {
            $0.deadline = .max
            $0.lastDeed = .max
            $0.isDead = false
            $0.lastBreath = ""
            $0.failing = nil
        }
    }

    /// Lets the one call of this number from now fail.
    public func fail(call number: Int, with errno: Errno) {
        state.withLock { $0.failing = ($0.calls + number, errno) }
    }

    /// Refuses every change below the folder with `EROFS`; nil: no longer.
    public func makeReadOnly(_ folder: String?) { state.withLock { $0.readOnlyBelow = folder.map { $0 + "/" } } }

    func check(_ call: SimulatedFolderCall) throws(Errno) {
        let refusal: Errno? = state.withLock { state in
            if call.kind == .close { return nil }
            state.calls += 1
            if call.kind.changes { state.deeds += 1 }
            if state.calls >= state.deadline || state.deeds >= state.lastDeed { state.isDead = true }
            if state.isDead {
                if state.lastBreath.isEmpty { state.lastBreath = "\(call.kind) \(call.path)" }
                return .inputOutput
            }
            if let failing = state.failing, failing.call == state.calls { return failing.errno }
            state.record.note(call)
            guard call.kind.changes || call.kind == .checkWritable else { return nil }
            if let folder = state.readOnlyBelow, (call.path + "/").hasPrefix(folder) { return .readOnlyFileSystem }
            if call.kind.changes, !state.watched.isEmpty, call.path.hasPrefix(state.watched) { state.changes += 1 }
            return nil
        }
        if let refusal { throw refusal }
    }

    func checkStorage(_ what: String) throws {
        let isDead = state.withLock { state in
            state.calls += 1
            state.deeds += 1
            if state.calls >= state.deadline || state.deeds >= state.lastDeed { state.isDead = true }
            if state.isDead, state.lastBreath.isEmpty { state.lastBreath = what }
            return state.isDead
        }
        if isDead {
            throw StoreError(.inputOutput, "the device died before it could \(what)", remedy: "start it again")
        }
    }

    /// A disk's files with this fate.
    public func files(on disk: any FileSystem = .local) -> SimulatedFolderFaults {
        SimulatedFolderFaults(disk) { (call) throws(Errno) in try self.check(call) }
    }

    /// The local files with this fate.
    public var files: SimulatedFolderFaults { files() }
}

extension SimulatedFolderMortality {
    /// Notes what it does below the folder from now on.
    func recordDeeds(below folders: [String]) { state.withLock { $0.record.folders = folders.map { $0 + "/" } } }

    /// A copy of a machine has what that wrote for its own.
    func inherit(_ other: SimulatedFolderMortality) {
        let record = other.state.withLock { $0.record }
        state.withLock { $0.record = record }
    }

    /// What it opened for reading since it was asked last what it did.
    var opened: [String] { state.withLock { $0.record.opened } }

    /// What it did since it was asked last.
    func takeDeeds() -> SimulatedFolderDeeds { state.withLock { $0.record.taken() } }
}
