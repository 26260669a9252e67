/// Waits until something is so, and gives up after the deadline: never a fixed sleep. The deadline is long because each turn of
/// a waiting test comes after those of all tests that do not wait.
///
/// - Returns: Whether it came to be so.
public func eventually(
    within limit: Duration = .seconds(120), _ fact: () async throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try await fact() { return true }
        if ContinuousClock.now >= deadline || Task.isCancelled { return false }
        // The pause between two looks; cancellation is seen at the next.
        do { try await Task.sleep(for: .milliseconds(2)) } catch { return false }
    }
}
