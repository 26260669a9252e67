import Synchronization

/// Sends values to any number of streams, each of which keeps the last one that its consumer has not taken.
package final class LatestValue<Value: Sendable>: Sendable {
    private struct State {
        var nextStream: UInt64 = 0
        var streams: [UInt64: AsyncStream<Value>.Continuation] = [:]
    }
    private let state = Mutex(State())

    /// Nobody listens yet.
    package init() {}

    deinit { end() }

    /// A new stream, which gets `first` and what is sent from now on.
    package func stream(first: Value? = nil) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        if let first { continuation.yield(first) }
        let number = state.withLock { state in
            state.nextStream += 1
            state.streams[state.nextStream] = continuation
            return state.nextStream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.streams.removeValue(forKey: number) }
        }
        return stream
    }

    /// How many streams are open, for tests.
    var streams: Int { state.withLock { $0.streams.count } }

    package func send(_ value: Value) {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.yield(value) }
    }

    /// Ends every stream that is open.
    package func end() {
        let streams = state.withLock { state in
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish() }
    }
}
