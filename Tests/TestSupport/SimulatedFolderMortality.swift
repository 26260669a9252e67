public import FileCoordination
public import LLVSCore
import Synchronization

/// What can go wrong with a device: it dies at a call, a call fails, the folder refuses writes.
///
/// The file system and the storage of one device share it. After its death every call fails and nothing more is written, as
/// after `kill -9`.
public final class SimulatedFolderMortality: Sendable {
    private struct State {
        var calls = 0
        var deadline = Int.max
        var failing: (call: Int, errno: Errno)?
        var readOnlyBelow: String?
        var changes = 0
        var watched = ""
    }
    private let state = Mutex(State())

    /// A device in good health.
    public init() {}

    /// How many calls were made.
    public var calls: Int { state.withLock { $0.calls } }
    /// How many calls that change something were made below the watched folder.
    public var changes: Int { state.withLock { $0.changes } }
    /// Whether it has died.
    public var isDead: Bool { state.withLock { $0.calls >= $0.deadline } }

    /// Counts changes below the folder from now on.
    public func watch(_ folder: String) {
        state.withLock {
            $0.changes = 0
            $0.watched = folder + "/"
        }
    }

    /// Dies at the call of this number from now, 1 for the next.
    public func die(atCall number: Int) { state.withLock { $0.deadline = $0.calls + number } }

    /// Lives again, as a new process does.
    public func revive() {
        state.withLock {
            $0.deadline = .max
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
            if state.calls >= state.deadline { return .inputOutput }
            if let failing = state.failing, failing.call == state.calls { return failing.errno }
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
            return state.calls >= state.deadline
        }
        if isDead {
            throw StoreError(.inputOutput, "the device died before it could \(what)", remedy: "start it again")
        }
    }

    /// The local files with this fate.
    public var files: SimulatedFolderFaults {
        SimulatedFolderFaults { (call) throws(Errno) in try self.check(call) }
    }
}

/// A storage that dies with its device. A commit happens wholly or not at all; the death is before or after it.
public struct SimulatedFolderStorage: Storage {
    let base: any Storage
    let mortality: SimulatedFolderMortality

    /// A storage with that fate.
    public init(_ base: any Storage, _ mortality: SimulatedFolderMortality) {
        self.base = base
        self.mortality = mortality
    }

    /// Reads, if alive.
    public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        try base.read(body)
    }

    /// Writes, if alive.
    public func write<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result {
        try mortality.checkStorage("write")
        let result = try base.write(body)
        try mortality.checkStorage("go on after writing")
        return result
    }

    /// Syncs, if alive.
    public func sync() throws { try base.sync() }
    /// Asks the storage.
    public func checkIntegrity() throws -> [String] { try base.checkIntegrity() }
    /// Closes it.
    public func close() throws { try base.close() }
}
