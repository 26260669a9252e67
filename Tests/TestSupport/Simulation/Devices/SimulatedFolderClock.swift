import LLVSCore
import Synchronization

/// A device's wall clock: it goes only when it is told to.
public final class SimulatedFolderClock: Sendable {
    private let milliseconds: Mutex<Int64>

    /// 2026-01-01 and so many milliseconds.
    public init(offBy offset: Int64 = 0) { milliseconds = Mutex(1_767_225_600_000 + offset) }

    /// Milliseconds since 1970.
    public var now: Int64 { milliseconds.withLock { $0 } }

    /// Shows another time.
    public func set(_ time: Int64) { milliseconds.withLock { $0 = time } }

    /// Goes on, or back.
    public func advance(_ step: Int64) { milliseconds.withLock { $0 += step } }

    /// Goes on by a pause that nobody waits for.
    public func advance(_ pause: Duration) {
        advance(pause.components.seconds * 1_000 + pause.components.attoseconds / 1_000_000_000_000_000)
    }

    /// Fifty years in milliseconds.
    public static let fiftyYears: Int64 = 50 * 31_557_600_000
}
