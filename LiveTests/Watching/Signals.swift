#if os(Linux)
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
#endif
