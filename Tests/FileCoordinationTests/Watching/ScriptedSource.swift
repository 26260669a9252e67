@testable import FileCoordination

/// Hints that a test makes up. Used by one thread.
final class ScriptedSource: WatchEventSource {
    let descriptor: Int32 = -1
    /// What the next drain gives.
    var waiting: [RawWatchEvent] = []
    /// The watch of each folder that was added, by path.
    private(set) var watches: [String: Int32] = [:]
    private(set) var removed: [Int32] = []
    /// Paths that lead to one directory get one watch.
    var sameFolders: [String: String] = [:]

    func add(_ folder: OpenFile, path: String) throws(Errno) -> Int32 {
        let real = sameFolders[path] ?? path
        let watch = watches[real] ?? Int32(watches.count + 1)
        watches[real] = watch
        return watch
    }

    func remove(_ watch: Int32) { removed.append(watch) }

    func drain() throws(Errno) -> [RawWatchEvent] {
        defer { waiting = [] }
        return waiting
    }

    func close() {}

    func hint(_ hint: ChangeHint, _ name: String, in folder: String) {
        waiting.append(RawWatchEvent(watch: watches[folder] ?? -2, kind: .entry(name: Array(name.utf8), hint)))
    }

    func overflow() { waiting.append(RawWatchEvent(watch: -1, kind: .overflow)) }
}
