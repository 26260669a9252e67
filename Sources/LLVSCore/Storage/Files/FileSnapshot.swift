/// What was committed to a log up to some byte.
struct FileSnapshot: Sendable {
    let log: FileLog
    fileprivate(set) var zones: FileZones
    /// Where the next transaction begins.
    fileprivate(set) var end: Int64

    init(log: FileLog, zones: FileZones = FileZones(), end: Int64 = FileLog.headerSize) {
        self.log = log
        self.zones = zones
        self.end = end
    }

    /// Takes up the transactions that follow, up to byte `size`, and stops at the first that is not whole: it is being
    /// written, or its writer died, or a power cut took it.
    ///
    /// - Parameter flushed: up to here everything was on the disk once. Values before it are looked at when they are read.
    mutating func advance(to size: Int64, flushed: Int64 = 0) throws {
        var window = FileWindow(log)
        var position = end
        var frames: [FileFrame] = []
        while position < size, let frame = try FileFrame(at: position, in: &window, size: size) {
            position = frame.end
            frames.append(frame)
            guard frame.isLast else { continue }
            // Blocks reach the disk in any order: a frame that came to lie there may have values that did not.
            if frame.end > flushed, try !frames.allSatisfy({ try $0.hasSoundValues(in: log) }) { break }
            for frame in frames { zones.apply(frame.operations) }
            frames = []
            end = position
        }
    }

    /// Throws if something is missing that was on the disk once.
    func checkHolds(_ flushed: Int64) throws {
        if end < flushed { throw StoreError.damagedLog(log.path, at: end, "what was saved there does not verify") }
    }
}
