import Foundation

/// Waits for a fact, at most until the deadline.
func eventually(within seconds: Double, _ fact: () throws -> Bool) throws -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while Date() < deadline {
        if try fact() { return true }
        Thread.sleep(forTimeInterval: 0.05)
    }
    return try fact()
}
