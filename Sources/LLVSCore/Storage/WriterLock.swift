import CPlatform
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The right to change a store: one thread of one process has it at a time.
///
/// An open-file-description lock on a file of its own beside the database, so that neither SQLite's locks nor another store
/// of this process interfere; the kernel drops it with the process. SQLite before 3.51.3 can lose a commit that runs beside a
/// checkpoint of another connection (https://sqlite.org/wal.html#walresetbug), so both are done only under this lock.
/// The file holds the process id of the last holder, to be named to those who wait.
///
/// Unchecked because what changes does so only between entering and leaving the gate.
final class WriterLock: @unchecked Sendable {
    /// -1 once closed.
    private var descriptor: CInt
    private let path: String
    private let patience: Duration
    private let gate = ThreadGate()
    /// What the file says while this process holds the lock.
    private var own: (process: pid_t, record: [UInt8]) = (0, [])

    /// Opens the lock file, or makes it, and makes sure that it can be locked.
    /// - Throws: ``StoreError`` with `.readOnly` where it cannot be written, `.unsupportedFileSystem` without such locks.
    init(_ path: String, patience: Duration) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw StoreError.systemCall("the store's lock file cannot be opened", errno, path: path)
        }
        self.descriptor = descriptor
        self.path = path
        self.patience = patience
        // A throw from here on runs deinit, which closes.
        if try lockFile() { unlockFile() }
    }

    deinit {
        closeFile()
    }

    /// Runs `body` with the lock.
    /// - Throws: ``StoreError`` with `.locked` if the lock was not to be had in time, and what `body` throws.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        let deadline = ContinuousClock.now + patience
        guard gate.enter(before: deadline) else { throw waitedTooLong(for: "\(getpid())") }
        defer { gate.leave() }
        guard descriptor >= 0 else { throw StoreError.storageClosed(path: path) }
        // The kernel has no lock call with a time limit. Short pauses: a commit takes some tens of microseconds.
        var pause: UInt32 = 50
        while try !lockFile() {
            guard ContinuousClock.now < deadline else { throw waitedTooLong(for: holderOfFile()) }
            usleep(pause)
            pause = min(pause * 2, 5_000)
        }
        defer { unlockFile() }
        noteHolder()
        return try body()
    }

    /// Waits for the threads of this process, runs `body`, and closes the file for good. `body` is told whether other
    /// processes are kept out too. Does nothing the second time.
    func close(_ body: (_ isLocked: Bool) throws -> Void) throws {
        _ = gate.enter()
        defer { gate.leave() }
        guard descriptor >= 0 else { return }
        // Closing the file unlocks it.
        defer { closeFile() }
        try body(lockFile())
    }

    /// Whether the open file is still the one at the path.
    func isFileInPlace() -> Bool {
        var held = stat()
        var named = stat()
        return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
            && held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }

    private func lockFile() throws -> Bool {
        switch cplatform_lock(descriptor, 1, 0) {
        case 0: return true
        case EAGAIN: return false
        case let number:
            throw StoreError(
                .unsupportedFileSystem, "the file system has no locks between processes",
                remedy: "put the store on a local disk", path: path, cause: String(cString: strerror(number)))
        }
    }

    private func closeFile() {
        if descriptor >= 0 { releaseDescriptor(descriptor) }
        descriptor = -1
    }

    private func unlockFile() {
        cplatform_unlock(descriptor)
    }

    /// Writes this process's id, unless it is there already. Only for messages: a failure, as on a full disk, is no error.
    private func noteHolder() {
        // A child that this process became by `fork` has another id.
        let process = getpid()
        if own.process != process { own = (process, Self.record(process)) }
        guard readHolder() != own.record else { return }
        _ = pwrite(descriptor, own.record, own.record.count, 0)
    }

    private func readHolder() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.recordLength) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }

    /// As long for every process, so that one record hides another wholly.
    private static var recordLength: Int { 12 }
    private static func record(_ process: pid_t) -> [UInt8] {
        let digits = Array(String(process).utf8)
        return digits + [UInt8](repeating: 32, count: max(0, recordLength - 1 - digits.count)) + [10]
    }

    private func holderOfFile() -> String {
        String(String(decoding: readHolder(), as: UTF8.self).prefix { $0.isNumber })
    }

    private func waitedTooLong(for process: String) -> StoreError {
        let holder = process.isEmpty ? "another process" : "process \(process)"
        return StoreError(
            .locked, "\(holder) has been writing to the store for longer than \(patience.components.seconds) seconds",
            remedy: "wait until it is done, or end it, then try again", path: path)
    }
}

/// `close(2)`, which a method of that name hides in the class. After a failure the descriptor is gone as well.
private func releaseDescriptor(_ descriptor: CInt) {
    close(descriptor)
}
