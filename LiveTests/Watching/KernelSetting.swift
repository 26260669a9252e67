#if os(Linux)
    import Foundation

    /// A setting of the whole machine (sysctl(8)), changed for as short as a body runs and put back whatever happens.
    struct KernelSetting {
        let path: String

        /// How many events wait in a kernel queue that is made while this holds; older queues keep their length.
        static let queuedEvents = KernelSetting(path: "/proc/sys/fs/inotify/max_queued_events")
        /// In the user namespace of this process.
        static let watches = KernelSetting(path: "/proc/sys/user/max_inotify_watches")
        static let instances = KernelSetting(path: "/proc/sys/user/max_inotify_instances")

        func set(_ value: Int) throws { try write(String(value)) }

        func with<Result>(_ value: Int, _ body: () async throws -> Result) async throws -> Result {
            let before = try String(contentsOfFile: path, encoding: .utf8)
            try set(value)
            defer {
                do { try write(before) } catch { print("\(path) was not put back to \(before): \(error)") }
            }
            return try await body()
        }

        private func write(_ text: String) throws { try Disk.write(path, text, flags: 0) }
    }
#endif
