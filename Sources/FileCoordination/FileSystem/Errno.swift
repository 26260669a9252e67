#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An error number of the system, as a Swift error.
///
/// Nothing else is thrown by ``FileSystem``. Layers above turn it into an error that names the path and the remedy.
public struct Errno: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number as in `<errno.h>`.
    public let rawValue: Int32

    /// The error of this number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The system's own words for it (`strerror_r(3)`) and its number: "No space left on device (28)".
    public var description: String { "\(message) (\(rawValue))" }

    private var message: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress else { return "error" }
            buffer.initialize(repeating: 0)
            return strerror_r(rawValue, start, buffer.count) == 0 ? String(cString: start) : "error"
        }
    }

    /// What the calling thread's last failed call left in `errno`.
    static var current: Errno { Errno(rawValue: errno) }
}

extension Errno {
    /// `EPERM`
    public static let notPermitted = Errno(rawValue: EPERM)
    /// `ENOENT`
    public static let noSuchFile = Errno(rawValue: ENOENT)
    /// `EINTR`
    public static let interrupted = Errno(rawValue: EINTR)
    /// `EIO`
    public static let inputOutput = Errno(rawValue: EIO)
    /// `ENXIO`
    public static let noSuchDevice = Errno(rawValue: ENXIO)
    /// `EBADF`
    public static let badDescriptor = Errno(rawValue: EBADF)
    /// `EAGAIN`
    public static let wouldBlock = Errno(rawValue: EAGAIN)
    /// `ENOMEM`
    public static let outOfMemory = Errno(rawValue: ENOMEM)
    /// `EACCES`
    public static let accessDenied = Errno(rawValue: EACCES)
    /// `EBUSY`
    public static let busy = Errno(rawValue: EBUSY)
    /// `EEXIST`
    public static let fileExists = Errno(rawValue: EEXIST)
    /// `EXDEV`
    public static let crossesDevices = Errno(rawValue: EXDEV)
    /// `ENOTDIR`
    public static let notDirectory = Errno(rawValue: ENOTDIR)
    /// `EISDIR`
    public static let isDirectory = Errno(rawValue: EISDIR)
    /// `EINVAL`
    public static let invalidArgument = Errno(rawValue: EINVAL)
    /// `ENFILE`
    public static let tooManyFilesInSystem = Errno(rawValue: ENFILE)
    /// `EMFILE`
    public static let tooManyFiles = Errno(rawValue: EMFILE)
    /// `ETXTBSY`
    public static let textBusy = Errno(rawValue: ETXTBSY)
    /// `EFBIG`
    public static let fileTooLarge = Errno(rawValue: EFBIG)
    /// `ENOSPC`
    public static let noSpace = Errno(rawValue: ENOSPC)
    /// `EROFS`
    public static let readOnlyFileSystem = Errno(rawValue: EROFS)
    /// `EMLINK`
    public static let tooManyLinks = Errno(rawValue: EMLINK)
    /// `ENAMETOOLONG`
    public static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
    /// `ENOSYS`
    public static let notImplemented = Errno(rawValue: ENOSYS)
    /// `ENOTEMPTY`
    public static let notEmpty = Errno(rawValue: ENOTEMPTY)
    /// `ELOOP`: too many links in a path, or a link where none is followed.
    public static let linkLoop = Errno(rawValue: ELOOP)
    /// `ENOTSUP`
    public static let notSupported = Errno(rawValue: ENOTSUP)
    /// `ESTALE`
    public static let staleHandle = Errno(rawValue: ESTALE)
    /// `EDQUOT`
    public static let quotaExceeded = Errno(rawValue: EDQUOT)
    /// `EILSEQ`: a name that the file system cannot hold.
    public static let illegalName = Errno(rawValue: EILSEQ)
    /// `ENOTCONN`: a mount whose server is gone.
    public static let notConnected = Errno(rawValue: ENOTCONN)
    /// `ENODEV`
    public static let noDevice = Errno(rawValue: ENODEV)
    /// `ENOLCK`
    public static let noLocks = Errno(rawValue: ENOLCK)
}
