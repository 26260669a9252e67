import Foundation
import Testing

/// What this machine lets a live test do.
enum LiveMachine {
    #if os(Linux)
        static let isLinux = true
    #else
        static let isLinux = false
    #endif

    /// For mounts and for settings of the kernel.
    static let isRoot = isLinux && FileManager.default.isWritableFile(atPath: "/proc/sys/fs/inotify/max_queued_events")
    static let rootReason: Comment = "only root may mount and change the kernel's settings"
    /// Tests that wait for more than a minute.
    static let isPatient = ProcessInfo.processInfo.environment["FILECOORDINATION_SLOW_TESTS"] == "1"
}

/// What the watcher promises, shown on a real kernel: floods, lost events, exhausted limits, scripts of renames, mounts,
/// signals and programs. One after another, because some count the process's descriptors or change a setting.
///
/// Counts and final states are asserted, never times; deadlines are generous.
@Suite("Watcher, live", .enabled(if: LiveGate.isOpen && LiveMachine.isLinux, LiveGate.reason), .serialized)
struct WatcherLive {}
