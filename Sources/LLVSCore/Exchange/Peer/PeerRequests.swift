/// The requests that wait for an answer. An answer may come before anyone waits for it.
struct PeerRequests {
    private enum Slot {
        case asked
        case awaited(CheckedContinuation<PeerMessage, any Error>)
        case answered(Result<PeerMessage, any Error>)
    }

    private var slots: [UInt64: Slot] = [:]
    private var last: UInt64 = 0

    /// The number of a new request.
    mutating func open() -> UInt64 {
        last += 1
        slots[last] = .asked
        return last
    }

    /// Someone waits for the answer now.
    mutating func wait(for request: UInt64, _ continuation: CheckedContinuation<PeerMessage, any Error>) {
        guard case .answered(let answer) = slots[request] else {
            slots[request] = .awaited(continuation)
            return
        }
        slots[request] = nil
        continuation.resume(with: answer)
    }

    /// An answer, or why there is none. One to what nobody asked, or that comes too late, is ignored.
    mutating func answer(_ request: UInt64, _ answer: Result<PeerMessage, any Error>) {
        switch slots[request] {
        case .asked: slots[request] = .answered(answer)
        case .awaited(let continuation):
            slots[request] = nil
            continuation.resume(with: answer)
        case .answered, nil: break
        }
    }

    /// The request is over, however it ended.
    mutating func close(_ request: UInt64) { slots[request] = nil }

    /// No answer comes any more.
    mutating func failAll(_ error: any Error) {
        for request in slots.keys { answer(request, .failure(error)) }
    }
}
