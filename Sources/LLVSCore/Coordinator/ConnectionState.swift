import FileCoordination
import Synchronization

/// How a store stands to what keeps it in step with others.
public enum ConnectionState: Hashable, Sendable {
    /// Begun; nothing was exchanged yet.
    case connecting
    /// In step as of the last exchange.
    case following
    /// The other side cannot be reached. It is tried again after this time, counted from when the state was told.
    case offline(reason: String, retryAfter: Duration)
    /// The store lacks what it must begin with, or what it must have to go on, and waits for it.
    case needsBootstrap(reason: String)
    /// Nothing is exchanged: by wish, or for this reason, which only a person can remove.
    case stopped(reason: String?)

    /// How close it is to following.
    fileprivate var rank: Int {
        switch self {
        case .following: 4
        case .connecting: 3
        case .needsBootstrap: 2
        case .offline: 1
        case .stopped: 0
        }
    }
}

/// The connections of a coordinator by what makes them: one for each folder, say.
final class Connections: Sendable {
    private let states = Mutex<[String: ConnectionState]>([:])

    /// The best of them; stopped, if there is none.
    var best: ConnectionState {
        states.withLock { states in
            // Of equal ones always the same, so that nothing changes by asking.
            states.sorted { $0.key < $1.key }.map(\.value).max { $0.rank < $1.rank } ?? .stopped(reason: nil)
        }
    }

    /// Whether that is news.
    func set(_ state: ConnectionState, of source: String) -> Bool {
        states.withLock { $0.updateValue(state, forKey: source) != state }
    }
}

extension StoreCoordinator {
    /// How the store stands to the others: of several folders that are followed, the best. Stopped while no service runs.
    public nonisolated var connection: ConnectionState { connections.best }

    /// Notes how one of the connections is, for ``connection`` and ``updates(lookingEvery:clock:)``.
    package nonisolated func note(_ state: ConnectionState, of source: String) {
        if connections.set(state, of: source) { store.news.advance() }
    }
}
