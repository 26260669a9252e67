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
    /// lies between them counts. Whatever is out of the ordinary, an error too, undoes it, and the long way meets the same and says
    /// what it is.
    ///
    /// - Returns: Whether it is done. Throws as the end of the long way does: the new file stands then.
    func replacesPlainly(
        _ path: String, with bytes: [UInt8], _ permissions: FilePermissions
    ) throws(FileCoordinationError) -> Bool {
        guard type(of: files) == LocalFileSystem.self, temporaryFolder == nil else { return false }
        let start = path.withCString { start -> Int32 in
            // A NUL inside would end the path early, and another file would be meant.
            guard strlen(start) == path.utf8.count else { return -1 }
            return TemporaryName.withFreshName { name in
                bytes.withUnsafeBytes { bytes in
                    cplatform_replace_plainly(
                        start, name, bytes.baseAddress, bytes.count, permissions.rawValue, durability == .fast ? 0 : 1)
                }
            }
        }
        guard start >= 0 else { return false }
        let folder = start > 1 ? path.utf8.prefix(Int(start) - 1) : (start == 1 ? "/" : ".").utf8[...]
        if durability == .full { try syncFolder(String(Substring(folder)), of: path) }
        sweepIfDue(folder)
        return true
    }
}
