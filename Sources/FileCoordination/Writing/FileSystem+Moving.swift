extension FileSystem {
    /// Gives what is at `path` the name `target` if nobody has it, by `RENAME_NOREPLACE`. Where the file system cannot do that, a
    /// file gets it as a second name (a hard link), and a folder the place of an empty one that was made for it. Never is
    /// there half a file or an empty one under the new name.
    ///
    /// - Returns: Whether `path` still stands, as the second name of the file: the caller removes it.
    /// - Throws: `EEXIST` if anything is there, `ENOTSUP` if the file system can do none of it.
    func nameWithoutReplacing(_ path: String, as target: String) throws(Errno) -> Bool {
        do {
            try renameWithoutReplacing(path, to: target)
            return false
        } catch {
            guard [.invalidArgument, .notImplemented, .notSupported].contains(error) else { throw error }
        }
        if try attributes(at: path, followLinks: false).kind == .directory {
            try moveFolder(path, to: target)
            return false
        }
        try link(path, to: target)
        return true
    }

    /// ``nameWithoutReplacing(_:as:)``, and the old name is gone.
    package func moveWithoutReplacing(_ path: String, to target: String) throws(Errno) {
        if try nameWithoutReplacing(path, as: target) { try removeFile(path) }
    }

    /// What FUSE, NFS and old kernels can do that cannot rename so.
    private func link(_ path: String, to target: String) throws(Errno) {
        do { try makeHardLink(path, to: target) } catch {
            switch error {
            case .fileExists:
                // NFS can make the link, lose the answer and find it there at the second try.
                let (old, new) = (
                    try attributes(at: path, followLinks: false), try attributes(at: target, followLinks: false)
                )
                guard old.inode == new.inode, old.device == new.device else { throw error }
            case .notPermitted, .accessDenied, .invalidArgument, .notImplemented, .notSupported, .tooManyLinks:
                throw .notSupported
            default: throw error
            }
        }
    }

    private func moveFolder(_ path: String, to target: String) throws(Errno) {
        try makeDirectory(target, permissions: .privateDirectory)
        do { try rename(path, to: target) } catch {
            do { try removeDirectory(target) } catch {}
            throw error
        }
    }
}
