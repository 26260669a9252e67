extension FileSystem {
    /// Creates a file under a name that nobody has.
    func makeTemporaryFile(
        in folder: String, permissions: FilePermissions
    ) throws(Errno) -> (path: String, file: OpenFile) {
        for _ in 0..<16 {
            let path = TemporaryName.freshPath(in: folder)
            let options: OpenOptions = [.read, .write, .create, .exclusive, .noFollow]
            do {
                return (path, try open(path, options, permissions: permissions))
            } catch {
                if error != .fileExists { throw error }
            }
        }
        throw .fileExists
    }

    /// Gives `file` the owner, group, extended attributes and mode of the file at `path`.
    ///
    /// Three or four calls as a rule, a quarter of a write in memory and a hundredth of one on a disk: whose the new file is
    /// (a folder can pass its group on), what attributes the old one has, unless it is known that it has none, whether the
    /// new one inherited an access control list, and the mode unless it is right already.
    func keepAttributes(
        _ existing: FileAttributes, of path: String, on file: OpenFile, isKnownPlain: Bool = false
    ) throws(Errno) {
        let now = try attributes(of: file)
        var mode = existing.permissions.rawValue
        var keptOwner = now.owner == existing.owner
        var keptGroup = now.group == existing.group
        if !keptOwner || !keptGroup {
            keptOwner = try keepOwner(existing.owner, existing.group, on: file)
            if keptOwner {
                keptGroup = true
            } else if !keptGroup {
                keptGroup = try keepOwner(.max, existing.group, on: file)
            }
        }
        let changed = try keepExtendedAttributes(of: path, on: file, isKnownPlain: isKnownPlain)
        if !keptGroup { mode = mode & ~0o2070 | mode & 0o070 & (mode & 0o007) << 3 }
        if !keptOwner { mode &= ~0o6000 }
        if mode == now.permissions.rawValue, now.owner == existing.owner, now.group == existing.group, !changed {
            return
        }
        // After the owner, whose change clears set-id bits, and the access control list, which sets the group's bits.
        do { try setPermissions(FilePermissions(rawValue: mode), of: file) } catch {
            // File systems without modes (FAT, some network mounts) refuse what they cannot hold.
            if !Self.isRefusal(error) { throw error }
        }
    }

    private func keepOwner(_ owner: UInt32, _ group: UInt32, on file: OpenFile) throws(Errno) -> Bool {
        do {
            try setOwner(owner, group: group, of: file)
            return true
        } catch {
            if Self.isRefusal(error) { return false }
            throw error
        }
    }

    private func keepExtendedAttributes(
        of path: String, on file: OpenFile, isKnownPlain: Bool
    ) throws(Errno) -> Bool {
        do {
            if isKnownPlain { return try removeAccessList(of: file) }
            return try copyExtendedAttributes(ofFileAt: path, to: file)
        } catch {
            // Gone meanwhile, or not for us to read or set.
            if error != .noSuchFile, !Self.isRefusal(error) { throw error }
            return true
        }
    }

    private static func isRefusal(_ errno: Errno) -> Bool {
        [.notPermitted, .accessDenied, .notSupported, .invalidArgument, .notImplemented].contains(errno)
    }

    /// A whole and synced copy of `path` under a temporary name in the place's folder.
    func copyBeside(
        _ place: FilePlace, from path: String, keeping existing: FileAttributes?, durability: FileDurability
    ) throws(Errno) -> String {
        let source = try open(path, [.read, .noFollow])
        defer {
            // It was only read.
            do { try close(source) } catch {}
        }
        let permissions = try attributes(of: source).permissions
        let (copy, file) = try makeTemporaryFile(in: place.folder, permissions: .privateFile)
        do throws(Errno) {
            try closing(file) { () throws(Errno) in
                try copyContent(of: source, to: file)
                if let existing { try keepAttributes(existing, of: place.path, on: file) }
                if existing == nil { try setPermissions(permissions, of: file) }
                if durability != .fast { try sync(file) }
            }
        } catch {
            do { try removeFile(copy) } catch {}
            throw error
        }
        return copy
    }

    private func copyContent(of source: OpenFile, to file: OpenFile) throws(Errno) {
        try withUnsafeTemporaryBuffer(byteCount: 1 << 18) { buffer throws(Errno) in
            while true {
                let count = try read(source, into: buffer)
                if count == 0 { return }
                var rest = UnsafeRawBufferPointer(buffer)[..<count]
                while !rest.isEmpty {
                    let written = try write(UnsafeRawBufferPointer(rebasing: rest), to: file)
                    if written <= 0 { throw .inputOutput }
                    rest = rest.dropFirst(written)
                }
            }
        }
    }
}

/// A heap buffer for the time of `body`.
private func withUnsafeTemporaryBuffer<R>(
    byteCount: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Errno) -> R
) throws(Errno) -> R {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
    defer { buffer.deallocate() }
    return try body(buffer)
}
