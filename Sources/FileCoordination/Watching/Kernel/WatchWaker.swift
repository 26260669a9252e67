import CPlatform
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Wakes the watcher's thread out of `poll(2)`: an eventfd on Linux, a pipe elsewhere.
///
/// Closed by the thread itself; waking a thread that has ended does nothing.
final class WatchWaker: Sendable {
    private struct Ends {
        var read: Int32
        var write: Int32
    }
    private let ends: Mutex<Ends?>

    init() throws(Errno) {
        #if os(Linux)
            let descriptor = cplatform_eventfd()
            if descriptor < 0 { throw Errno.current }
            ends = Mutex(Ends(read: descriptor, write: descriptor))
        #else
            var pair: [Int32] = [-1, -1]
            _ = try retrying { pipe(&pair) }
            for end in pair {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            ends = Mutex(Ends(read: pair[0], write: pair[1]))
        #endif
    }

    func wake() {
        ends.withLock { ends in
            guard let ends else { return }
            var one: UInt64 = 1
            // EAGAIN: it is awake already.
            _ = systemWrite(ends.write, &one, 8)
        }
    }

    /// Sleeps until the source has something, somebody wakes it, or the time is over. Returns early when interrupted.
    func sleep(watching source: Int32?, for time: Duration?) {
        guard let read = ends.withLock({ $0?.read }) else { return }
        let isAwake = withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { polled in
            // A negative descriptor is passed over.
            polled.initializeElement(at: 0, to: pollfd(fd: read, events: Int16(POLLIN), revents: 0))
            polled.initializeElement(at: 1, to: pollfd(fd: source ?? -1, events: Int16(POLLIN), revents: 0))
            _ = poll(polled.baseAddress, 2, time.map(Self.milliseconds) ?? -1)
            return polled[0].revents != 0
        }
        guard isAwake else { return }
        var value: UInt64 = 0
        _ = systemRead(read, &value, 8)
    }

    /// Rounded up, because rounding down would spin until the time has come.
    private static func milliseconds(_ time: Duration) -> Int32 {
        let (seconds, attoseconds) = time.components
        if seconds < 0 { return 0 }
        if seconds > 3600 { return 3_600_000 }
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    func close() {
        ends.withLock { held in
            if let ends = held {
                _ = systemClose(ends.read)
                if ends.write != ends.read { _ = systemClose(ends.write) }
            }
            held = nil
        }
    }
}
