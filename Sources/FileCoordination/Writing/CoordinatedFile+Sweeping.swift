public import Foundation
import Synchronization

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
    func sweepIfDue(_ folder: String) {
        guard sweeps.withLock({ $0.isDue(folder, at: ContinuousClock.now) }) else { return }
        do { try sweepTemporaryFiles(in: folder) } catch {}
    }
}

private let sweeps = Mutex(SweepTimes())

/// When which folder was swept, for a bounded number of folders.
private struct SweepTimes {
    private var times: [String: ContinuousClock.Instant] = [:]
    /// The folder asked about last, and until when it is not due: most writes go to one folder.
    private var latest: (folder: String, until: ContinuousClock.Instant)?

    mutating func isDue(_ folder: String, at now: ContinuousClock.Instant) -> Bool {
        if let latest, now < latest.until, latest.folder == folder { return false }
        let due = isDueByTable(folder, at: now)
        latest = (folder, (times[folder] ?? now) + .seconds(3600))
        return due
    }

    private mutating func isDueByTable(_ folder: String, at now: ContinuousClock.Instant) -> Bool {
        if let last = times[folder], now - last < .seconds(3600) { return false }
        if times.count >= 1024 { times.removeAll() }
        times[folder] = now
        return true
    }
}
