import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension CoordinatedFile {
    /// Does the whole of the usual write in one call: on this machine's disk, nothing there or a file that needs nothing kept but
    /// its mode, the temporary file beside it.
    ///
    /// The same calls of the system in the same order as ``Replacement`` makes; in memory they take so little time that what
    /// lies between them counts. Whatever is out of the ordinary undoes it and is left to the long way. A write, sync, close or
    /// rename that failed is told at once: the kernel tells of lost data once, and a second try could say that all is well.
    ///
    /// - Returns: Whether it is done. Throws as the long way does: only `.durabilityUnknown` when the new file stands.
    func replacesPlainly(
        _ path: String, with bytes: [UInt8], _ permissions: FilePermissions
    ) throws(FileCoordinationError) -> Bool {
        guard type(of: files) == LocalFileSystem.self, temporaryFolder == nil else { return false }
        var failure: Int32 = 0
        let start = path.withCString { start -> Int32 in
            // A NUL inside would end the path early, and another file would be meant.
            guard strlen(start) == path.utf8.count else { return -1 }
            return TemporaryName.withFreshName { name in
                bytes.withUnsafeBytes { bytes in
                    cplatform_replace_plainly(
                        start, name, bytes.baseAddress, bytes.count, permissions.rawValue, durability == .fast ? 0 : 1,
                        &failure)
                }
            }
        }
        if failure != 0 { throw .writing(path, Errno(rawValue: failure)) }
        guard start >= 0 else { return false }
        let folder = start > 1 ? path.utf8.prefix(Int(start) - 1) : (start == 1 ? "/" : ".").utf8[...]
        if durability == .full { try syncFolder(String(Substring(folder)), of: path) }
        sweepIfDue(folder)
        return true
    }
}
