import Synchronization

/// A value that tasks and threads of a test change together.
public final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    /// Starts with `value`.
    public init(_ value: Value) { mutex = Mutex(value) }

    /// The value now.
    public var value: Value { mutex.withLock { $0 } }

    /// Changes the value while nobody else does.
    @discardableResult
    public func change<R: Sendable>(_ body: (inout Value) throws -> R) rethrows -> R {
        try mutex.withLock { value in
            // A copy, because a region-checked body could keep what it is given.
            var copy = value
            defer { value = copy }
            return try body(&copy)
        }
    }
}
