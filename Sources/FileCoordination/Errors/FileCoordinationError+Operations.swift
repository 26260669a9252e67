extension FileCoordinationError {
    /// Reading the file, or asking for its attributes, failed.
    public static func reading(_ path: String, _ errno: Errno) -> Self { Self(.read, path, errno) }
    /// Writing or replacing the file failed; the old file is untouched.
    public static func writing(_ path: String, _ errno: Errno) -> Self { Self(.write, path, errno) }
    /// Deleting the file failed.
    public static func deleting(_ path: String, _ errno: Errno) -> Self { Self(.delete, path, errno) }
    /// Listing the directory failed.
    public static func listing(_ path: String, _ errno: Errno) -> Self { Self(.list, path, errno) }
    /// Making the directory failed.
    public static func makingDirectory(_ path: String, _ errno: Errno) -> Self { Self(.makeDirectory, path, errno) }
    /// Renaming the file failed.
    public static func renaming(_ path: String, _ errno: Errno) -> Self { Self(.rename, path, errno) }
    /// Locking the file failed.
    public static func locking(_ path: String, _ errno: Errno) -> Self { Self(.lock, path, errno) }
    /// Watching the directory failed.
    public static func watching(_ path: String, _ errno: Errno) -> Self { Self(.watch, path, errno) }

    /// The file has more bytes than the reader allows.
    public static func tooLarge(_ path: String, limit: Int) -> Self {
        Self(
            .tooLarge, .read, path: path, because: "it has more than \(limit) bytes",
            remedy: "check whether it is the right file")
    }

    /// The path leads to a FIFO, socket or device.
    public static func notRegularFile(_ path: String, _ operation: Operation = .read) -> Self {
        Self(
            .notRegularFile, operation, path: path, because: "it is a pipe, socket or device",
            remedy: "put a regular file there")
    }

    /// How a file differs from what it was.
    enum Difference: String {
        case content = "it changed since it was read"
        case vanished = "it was deleted since it was read"
        case appeared = "it appeared since it was found to be absent"
    }

    /// The file is not what the writer thinks it is; it is untouched.
    static func changed(_ path: String, _ difference: Difference) -> Self {
        Self(
            .changed, .write, path: path, because: difference.rawValue,
            remedy: "read it again and make your change in that")
    }

    /// The file system can neither rename without replacing nor make hard links.
    static func creatingOnly(_ path: String, _ errno: Errno) -> Self {
        Self(
            .notSupported, .write, path: path, errno: errno,
            because: "the file system cannot make a file without risking to replace one",
            remedy: "choose a place on another file system, or let the write replace")
    }

    /// The caller waits for itself.
    static func reentrant(_ path: String, _ operation: Operation, _ inside: String) -> Self {
        Self(
            .reentrant, operation, path: path,
            because: "the caller is inside \(inside) of it and would wait for itself",
            remedy: "do it after that has ended")
    }

    /// The file is written, but whether its new name survives a power cut is not known.
    public static func durabilityUnknown(_ path: String, _ errno: Errno) -> Self {
        Self(
            .durabilityUnknown, Operation(rawValue: "make sure of"), path: path, errno: errno,
            because: "it is written, but its folder could not be synced to the disk: \(errno)",
            remedy: "check the disk and write it again")
    }

    /// Others can change the folder without this machine's kernel noticing, so it is looked at in intervals as well.
    static func hiddenChanges(_ path: String, _ type: FileSystemType) -> Self {
        Self(
            .notSupported, .watch, path: path,
            because: "the kernel does not tell what others change on the \(type.name) file system mounted there",
            remedy: "nothing is lost, but it is seen at the next look: set 'pollInterval', or use a local folder")
    }

    /// The options say that the kernel is not to be asked.
    static func pollingAskedFor(_ path: String) -> Self {
        Self(
            .notSupported, .watch, path: path, because: "the options ask for looking in intervals",
            remedy: "leave 'pollsOnly' off")
    }

    init(_ operation: Operation, _ path: String, _ errno: Errno) {
        let (code, reason, remedy) = Self.explain(errno, operation)
        self.init(code, operation, path: path, errno: errno, because: reason, remedy: remedy)
    }

    private static func explain(_ errno: Errno, _ operation: Operation) -> (Code, reason: String, remedy: String) {
        if operation == .watch, let limit = watchLimit(errno) { return limit }
        switch errno {
        case .noSuchFile: return missing(operation)
        case .noSpace: return (.noSpace, "the disk is full", "free some space and try again")
        case .quotaExceeded:
            return (.quotaExceeded, "your disk quota is used up", "delete something or ask for more quota")
        case .readOnlyFileSystem:
            return (.readOnlyFileSystem, "the file system is read-only", "mount it for writing or choose another place")
        case .notPermitted, .accessDenied:
            return (.notPermitted, "permission denied", "check the owner and permissions of the file and its folder")
        case .isDirectory: return (.isDirectory, "it is a folder", "give the path of a file")
        case .notDirectory:
            return (.notDirectory, "it, or part of its path, is not a folder", "check the path")
        case .nameTooLong: return (.invalidName, "the name or path is too long", "use a shorter one")
        case .illegalName:
            return (.invalidName, "the name has bytes that the file system refuses", "use a plainer name")
        case .fileExists: return (.fileExists, "something is there already", "choose another name or remove it")
        case .busy, .textBusy:
            return (.busy, "it is a mount point or in use", "unmount it or close the program that uses it")
        case .crossesDevices:
            return (.crossesDevices, "the two places are on different file systems", "choose a place on the same one")
        case .linkLoop, .tooManyLinks:
            return (.link, "it is a link that is not followed, or one in a circle", "give the path of the real file")
        case .fileTooLarge:
            return (.tooLarge, "the file system cannot hold a file of that size", "use another file system")
        case .notEmpty: return (.notEmpty, "the folder is not empty", "empty it first")
        default: return system(errno)
        }
    }

    /// What `inotify_add_watch(2)` and `inotify_init1(2)` say at the limits of `inotify(7)`.
    private static func watchLimit(_ errno: Errno) -> (Code, reason: String, remedy: String)? {
        if errno == .noSpace {
            return (
                .limitReached, "the system's limit of watches is used up",
                "raise it with 'sysctl fs.inotify.max_user_watches=1048576'"
            )
        }
        guard errno == .tooManyFiles else { return nil }
        return (
            .limitReached, "the system's limit of watchers, or of open files, is used up",
            "raise it with 'sysctl fs.inotify.max_user_instances=1024', or with 'ulimit -n'"
        )
    }

    private static func missing(_ operation: Operation) -> (Code, reason: String, remedy: String) {
        switch operation {
        case .write, .makeDirectory, .lock:
            (.noParent, "the folder it should be in does not exist", "make the folder first")
        default: (.noSuchFile, "no such file or folder", "check the path")
        }
    }

    private static func system(_ errno: Errno) -> (Code, reason: String, remedy: String) {
        switch errno {
        case .wouldBlock: (.locked, "another process has locked it", "wait until it is done")
        case .tooManyFiles, .tooManyFilesInSystem:
            (.limitReached, "too many files are open", "close some, or raise the limit with 'ulimit -n'")
        case .outOfMemory: (.limitReached, "the system is out of memory", "close some programs")
        case .invalidArgument:
            (.invalidName, "the file system does not accept the name or the request", "use a plainer name")
        case .notSupported, .notImplemented, .noLocks:
            (.notSupported, "the file system cannot do that: \(errno)", "use a local file system")
        case .noSuchDevice, .noDevice: (.notRegularFile, "it is a pipe, socket or device", "give the path of a file")
        case .staleHandle, .notConnected:
            (.disconnected, "its file system is not reachable: \(errno)", "connect or mount it again")
        default: (.inputOutput, "\(errno)", "check the disk and try again")
        }
    }
}

/// Runs `body` and turns its error number into an error that names the path and the operation.
func naming<R>(
    _ path: String, _ factory: (String, Errno) -> FileCoordinationError, _ body: () throws(Errno) -> R
) throws(FileCoordinationError) -> R {
    do { return try body() } catch { throw factory(path, error) }
}
