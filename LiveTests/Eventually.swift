import Foundation

/// Waits for a fact, and gives up at the limit.
///
/// Of a look that takes long, because the machine is busy, no more than half a second counts: what is awaited has had no more
/// of the machine than the look.
func eventually(within seconds: Double, _ fact: () throws -> Bool) throws -> Bool {
    var (waited, last) = (Duration.zero, ContinuousClock.now)
    while true {
        if try fact() { return true }
        if waited >= .seconds(seconds) { return false }
        Thread.sleep(forTimeInterval: 0.05)
        let now = ContinuousClock.now
        waited += min(now - last, .milliseconds(500))
        last = now
    }
}
