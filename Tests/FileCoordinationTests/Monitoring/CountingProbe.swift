import FileCoordination
import Synchronization
import TestSupport

/// A probe whose answer tests set, which counts its looks and can be held.
final class CountingProbe: ChangeProbe {
    struct Away: Error, CustomStringConvertible {
        var description: String { "the server is away" }
    }

    private struct State {
        var value = 0
        var isAway = false
        var begun = 0
        var together = 0
        var mostTogether = 0
        var gate: Gate?
    }
    private let state = Mutex(State())

    /// Looks that have begun.
    var begun: Int { state.withLock { $0.begun } }
    /// The most looks that were under way at once.
    var mostTogether: Int { state.withLock { $0.mostTogether } }

    func set(_ value: Int) { state.withLock { $0.value = value } }
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    /// Looks that begin from now on wait until the gate opens.
    func hold(at gate: Gate?) { state.withLock { $0.gate = gate } }

    func fingerprint() async throws -> ChangeFingerprint {
        let gate = state.withLock { state in
            state.begun += 1
            state.together += 1
            state.mostTogether = max(state.mostTogether, state.together)
            return state.gate
        }
        await gate?.wait()
        return try state.withLock { state throws(Away) in
            state.together -= 1
            if state.isAway { throw Away() }
            return ChangeFingerprint("\(state.value)")
        }
    }
}
