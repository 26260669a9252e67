import Synchronization

/// Counts objects that are still held by somebody.
final class Lifetimes: Sendable {
    final class Held: Sendable {
        private let lifetimes: Lifetimes
        fileprivate init(_ lifetimes: Lifetimes) { self.lifetimes = lifetimes }
        deinit { lifetimes.number.withLock { $0 -= 1 } }
    }
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func new() -> Held {
        number.withLock { $0 += 1 }
        return Held(self)
    }
}
