import FileCoordination

/// The mirrored directory: whether it is there, and is the one that was mirrored before.
struct MirrorDirectory {
    let path: RealPath
    let files: any FileSystem

    /// Looks at the directory itself.
    /// - Throws: If it is not there. That never means that its files were deleted.
    func attributes() throws -> FileAttributes {
        let found: FileAttributes
        do { found = try files.attributes(at: path.text, followLinks: true) } catch {
            guard error == .noSuchFile || error == .notDirectory else {
                throw FileCoordinationError.listing(path.text, error)
            }
            throw CommandError(
                "'\(path)' is not there, or not mounted; nothing was deleted",
                remedy: "mount it, or make the directory if it is a new one")
        }
        if found.kind != .directory {
            throw CommandError("'\(path)' is not a directory", remedy: "give the path of a directory")
        }
        return found
    }

    /// Refuses to take what is missing for deleted where the directory itself may be missing.
    func check(_ comparison: MirrorComparison, against record: MirrorRecord, inode: UInt64) throws {
        let missing = comparison.missing
        if missing == 0 { return }
        let remedy =
            "mount it or put the files back; if they were deleted on purpose, say so once with --accept-deletions"
        if comparison.isEmpty {
            throw CommandError(
                "'\(path)' is empty, and had \(counted(missing, "file")); nothing was deleted", remedy: remedy)
        }
        if let known = record.inode, known != inode {
            throw CommandError(
                "'\(path)' is another directory than before, and \(counted(missing, "file")) of it "
                    + "\(missing == 1 ? "is" : "are") missing; nothing was deleted", remedy: remedy)
        }
    }

    /// Makes the names in a folder durable; a file system that cannot do that for folders is not at fault.
    func sync(_ folder: RelativePath?) {
        do { try files.syncDirectory(folder.map { full($0) } ?? path.text) } catch {}
    }

    func full(_ relative: RelativePath) -> String { path.text + "/" + relative.text }
}
