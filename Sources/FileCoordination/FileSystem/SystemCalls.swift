#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Makes the call until no signal interrupts it; -1 becomes the error it left.
func retrying<R: FixedWidthInteger>(_ call: () -> R) throws(Errno) -> R {
    while true {
        let result = call()
        if result != -1 { return result }
        let failure = Errno.current
        if failure != .interrupted { throw failure }
    }
}

/// Makes the call with the path as it is, without a copy, until no signal interrupts it.
func retrying<R: FixedWidthInteger>(
    at path: String, _ call: (UnsafePointer<CChar>) -> R
) throws(Errno) -> R {
    let outcome: Result<R, Errno> = try withPath(path) { start in
        do throws(Errno) { return .success(try retrying { call(start) }) } catch { return .failure(error) }
    }
    return try outcome.get()
}

/// Lends the bytes of the path, which a string that was made here keeps with a NUL behind them.
func withPath<R>(_ path: String, _ body: (UnsafePointer<CChar>) -> R) throws(Errno) -> R {
    let result: R? = path.withCString { start in
        // A NUL inside would end the path early, and another file would be meant.
        strlen(start) == path.utf8.count ? body(start) : nil
    }
    guard let result else { throw .invalidArgument }
    return result
}

/// The error of `body` as a value, to carry it out of closures that cannot throw it typed.
func captured(_ body: () throws(Errno) -> Void) -> Errno? {
    do throws(Errno) {
        try body()
        return nil
    } catch { return error }
}

/// For the C functions that return an error number.
func check(_ number: Int32) throws(Errno) {
    if number != 0 { throw Errno(rawValue: number) }
}

/// A NUL would end the path early, and another file would be meant.
func checkPath(_ path: String) throws(Errno) {
    let hasNul =
        path.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? path.utf8.contains(0)
    if hasNul { throw .invalidArgument }
}

// Inside a type that has methods of these names the C functions cannot be called by theirs.

func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

func systemRead(_ descriptor: Int32, _ start: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, start, count)
}

func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, start, count)
}

func systemFlags(_ options: OpenOptions) -> Int32 {
    var flags = O_CLOEXEC | O_NOCTTY
    switch (options.contains(.read), options.contains(.write) || options.contains(.append)) {
    case (true, true): flags |= O_RDWR
    case (false, true): flags |= O_WRONLY
    default: flags |= O_RDONLY
    }
    if options.contains(.append) { flags |= O_APPEND }
    if options.contains(.create) { flags |= O_CREAT }
    if options.contains(.exclusive) { flags |= O_EXCL }
    if options.contains(.truncate) { flags |= O_TRUNC }
    if options.contains(.noFollow) { flags |= O_NOFOLLOW }
    if options.contains(.nonBlocking) { flags |= O_NONBLOCK }
    if options.contains(.directory) { flags |= O_DIRECTORY }
    return flags
}

extension FileAttributes {
    init(_ info: stat) {
        #if canImport(Darwin)
            let (modified, changed) = (info.st_mtimespec, info.st_ctimespec)
        #else
            let (modified, changed) = (info.st_mtim, info.st_ctim)
        #endif
        self.init(
            kind: FileKind(mode: UInt32(info.st_mode)), size: Int64(info.st_size), modified: nanoseconds(modified),
            changed: nanoseconds(changed), inode: UInt64(info.st_ino), device: UInt64(truncatingIfNeeded: info.st_dev),
            permissions: FilePermissions(rawValue: UInt32(info.st_mode)), owner: info.st_uid, group: info.st_gid,
            linkCount: UInt64(info.st_nlink))
    }
}

/// Times beyond the year 2262 wrap: they are compared, not computed with.
private func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

extension FileKind {
    fileprivate init(mode: UInt32) {
        switch mode & 0o170000 {
        case 0o100000: self = .file
        case 0o040000: self = .directory
        case 0o120000: self = .link
        default: self = .other
        }
    }
}

/// The name of an entry where the directory stream holds it, valid until the next read; nil for `.` and `..`.
func entryName(_ record: UnsafeMutablePointer<dirent>) -> UnsafeRawBufferPointer? {
    // The name may be longer than the C array it is declared as: it goes on in the kernel's buffer.
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
    let start = UnsafeRawPointer(record).advanced(by: offset)
    let name = UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
    let dot = UInt8(ascii: ".")
    let isItselfOrParent = name.count <= 2 && name.allSatisfy { $0 == dot }
    return isItselfOrParent ? nil : name
}

extension FileKind {
    /// What `d_type` says; nil if it says nothing.
    init?(entryType: UInt8) {
        switch Int32(entryType) {
        case Int32(DT_REG): self = .file
        case Int32(DT_DIR): self = .directory
        case Int32(DT_LNK): self = .link
        case Int32(DT_UNKNOWN): return nil
        default: self = .other
        }
    }
}
