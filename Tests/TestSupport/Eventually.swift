/// Waits until something is so, and gives up at the limit: never a fixed sleep.
///
/// Of the time between two looks at most 100 ms count: where each turn of a waiting test comes after those of all tests that
/// do not wait, what is awaited has had no more turns than the look.
///
/// - Returns: Whether it came to be so.
public func eventually(
    within limit: Duration = .seconds(30), _ fact: () async throws -> Bool
) async rethrows -> Bool {
    var (waited, last) = (Duration.zero, ContinuousClock.now)
    while true {
        if try await fact() { return true }
        if waited >= limit || Task.isCancelled { return false }
        // The pause between two looks; cancellation is seen at the next.
        do { try await Task.sleep(for: .milliseconds(2)) } catch { return false }
        let now = ContinuousClock.now
        waited += min(now - last, .milliseconds(100))
        last = now
    }
}
