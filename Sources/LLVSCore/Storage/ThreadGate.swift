import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Lets one thread through at a time, and turns a nested call, which could only wait for itself, into a trap.
final class ThreadGate: Sendable {
    private let turn = DispatchSemaphore(value: 1)
    private let owner = Atomic<UInt>(0)

    /// Waits for its turn; false if that did not come in time. No deadline: waits as long as it takes.
    func enter(before deadline: ContinuousClock.Instant? = nil) -> Bool {
        precondition(
            owner.load(ordering: .relaxed) != Self.currentThread,
            "A storage was called from within its own writing transaction; calls must not be nested.")
        guard let deadline else {
            turn.wait()
            owner.store(Self.currentThread, ordering: .relaxed)
            return true
        }
        let (seconds, attoseconds) = max(.zero, deadline - .now).components
        let wait = Double(seconds) + Double(attoseconds) * 1e-18
        guard turn.wait(timeout: .now() + wait) == .success else { return false }
        owner.store(Self.currentThread, ordering: .relaxed)
        return true
    }

    /// Lets the next thread in.
    func leave() {
        owner.store(0, ordering: .relaxed)
        turn.signal()
    }

    /// The calling thread, as long as it lives.
    static var currentThread: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}
