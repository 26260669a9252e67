#if os(Linux)
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    enum Signals {
        /// To one thread (tgkill(2)).
        static func send(_ signal: Int32, to thread: Int) throws {
            typealias Call = @convention(c) (pid_t, pid_t, Int32) -> Int32
            guard let symbol = dlsym(nil, "tgkill") else {
                throw Disk.Failure(call: "tgkill", path: "", number: ENOSYS)
            }
            try Disk.check(unsafeBitCast(symbol, to: Call.self)(getpid(), pid_t(thread), signal), "tgkill", "\(thread)")
        }
    }

    /// Counts objects that are still held by somebody.
    final class Lifetimes: Sendable {
        final class Held: Sendable {
            private let lifetimes: Lifetimes
            fileprivate init(_ lifetimes: Lifetimes) { self.lifetimes = lifetimes }
            deinit { lifetimes.number.withLock { $0 -= 1 } }
        }
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func new() -> Held {
            number.withLock { $0 += 1 }
            return Held(self)
        }
    }
#endif
