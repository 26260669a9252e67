public import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension CoordinatedFile {
    /// Removes temporary files of dead writers from the folder.
    ///
    /// Only names that this package makes are looked at. One goes if it was not written for `age` and its writer is dead,
    /// or, if its writer was another machine or another boot of this one, if it was not written for a day. A write does this
    /// by itself, at most once an hour for each folder.
    ///
    /// - Returns: The names that were removed.
    @discardableResult
    public func sweepTemporaryFiles(
        in folder: String, olderThan age: Duration = .seconds(3600), now: Date = Date()
    ) throws(FileCoordinationError) -> [String] {
        let names = try naming(folder, FileCoordinationError.listing) { () throws(Errno) in try files.list(folder) }
            .compactMap(\.name)
        var removed: [String] = []
        for name in names {
            guard let temporary = TemporaryName(name) else { continue }
            let path = FilePlace.join(folder, name)
            do {
                let found = try files.attributes(at: path, followLinks: false)
                guard found.kind == .file, isStale(temporary, written: found.modified, age, now) else { continue }
                try files.removeFile(path)
                removed.append(name)
            } catch {
                // Someone else swept it, or it is not for us to remove.
                if ![.noSuchFile, .notPermitted, .accessDenied].contains(error) { throw .deleting(path, error) }
            }
        }
        return removed
    }

    private func isStale(_ temporary: TemporaryName, written: Int64, _ age: Duration, _ now: Date) -> Bool {
        let idle = Duration.seconds(now.timeIntervalSince1970) - .nanoseconds(written)
        switch temporary.writer.isAlive {
        case true: return false
        case false: return idle > age
        case nil: return idle > max(age, .seconds(86_400))
        }
    }

    /// Sweeps the folder unless that was done within the hour. The write has succeeded: nothing here can undo that.
    ///
    /// - Parameter folder: Its path, or the beginning of one in it.
    func sweepIfDue(_ folder: Substring.UTF8View) {
        guard sweeps.withLock({ $0.isDue(folder, at: coarseSeconds()) }) else { return }
        do { try sweepTemporaryFiles(in: String(Substring(folder))) } catch {}
    }
}

private let sweeps = Mutex(SweepTimes())

/// Seconds of a clock that nobody sets, as cheap as it comes: every write asks.
private func coarseSeconds() -> Int {
    var time = timespec()
    #if os(Linux)
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    #else
        clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return Int(time.tv_sec)
}

/// When which folder was swept, by ``coarseSeconds()``, for a bounded number of folders.
private struct SweepTimes {
    private static let interval = 3600
    private var times: [[UInt8]: Int] = [:]
    /// The folder asked about last, and until when it is not due: most writes go to one folder.
    private var latest: [UInt8] = []
    private var latestUntil = Int.min

    mutating func isDue(_ path: Substring.UTF8View, at now: Int) -> Bool {
        if now < latestUntil, path.isSame(as: latest) { return false }
        let folder = Array(path)
        let due = isDueByTable(folder, at: now)
        (latest, latestUntil) = (folder, (times[folder] ?? now) + Self.interval)
        return due
    }

    private mutating func isDueByTable(_ folder: [UInt8], at now: Int) -> Bool {
        if let last = times[folder], now - last < Self.interval { return false }
        if times.count >= 1024 { times.removeAll() }
        times[folder] = now
        return true
    }
}

extension Substring.UTF8View {
    fileprivate func isSame(as bytes: [UInt8]) -> Bool {
        withContiguousStorageIfAvailable { own in
            bytes.withUnsafeBytes { own.count == $0.count && compareNames(UnsafeRawBufferPointer(own), $0) == 0 }
        } ?? elementsEqual(bytes)
    }
}
