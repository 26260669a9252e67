/// Waits until something is so, and gives up after the deadline: never a fixed sleep.
///
/// - Returns: Whether it came to be so.
public func eventually(
    within limit: Duration = .seconds(30), _ fact: () async throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
        if try await fact() { return true }
        if ContinuousClock.now >= deadline || Task.isCancelled { return false }
        // The pause between two looks; cancellation is seen at the next.
        do { try await Task.sleep(for: .milliseconds(2)) } catch { return false }
    }
}
