/// One hint from the kernel.
struct RawWatchEvent: Hashable {
    enum Kind: Hashable {
        /// A name in the watched folder.
        case entry(name: [UInt8], ChangeHint)
        /// The folder itself was deleted, moved or unmounted, but its watch may live on.
        case folderChanged
        /// The watch is gone.
        case watchEnded
        /// Events were dropped; belongs to no watch.
        case overflow
    }
    var watch: Int32
    var kind: Kind
}

/// Where hints come from. Used by one thread.
protocol WatchEventSource {
    /// Becomes readable when there are hints.
    var descriptor: Int32 { get }
    /// Watches an open folder; the same folder has the same watch however often it is added.
    func add(_ folder: OpenFile, path: String) throws(Errno) -> Int32
    /// Ends a watch.
    func remove(_ watch: Int32)
    /// All hints that wait; empty if there are none.
    func drain() throws(Errno) -> [RawWatchEvent]
    /// Gives everything back.
    func close()
}
