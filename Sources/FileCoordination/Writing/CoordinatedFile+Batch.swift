/// One file of a batch; see ``CoordinatedFile/writeAll(_:ifExists:)``.
public struct FileContent: Hashable, Sendable {
    /// Where it goes.
    public var path: String
    /// Its bytes.
    public var bytes: [UInt8]
    /// For a file that is new, less the umask.
    public var permissions: FilePermissions

    /// A file with ordinary permissions unless told otherwise.
    public init(path: String, bytes: [UInt8], permissions: FilePermissions = .file) {
        self.path = path
        self.bytes = bytes
        self.permissions = permissions
    }
}

/// A batch that did not come to its end.
public struct BatchWriteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The paths that have their new content, in the order of the batch; all others are as they were.
    public let written: [String]
    /// What stopped it, at the first file that was not written. With `.durabilityUnknown` every file was written.
    public let cause: FileCoordinationError

    /// The cause, and how many files were written before it.
    public var description: String { "\(cause) (\(written.count) files of the batch are written)" }
}

extension CoordinatedFile {
    /// Makes or replaces many files, each as ``write(_:to:permissions:ifExists:)`` does, and syncs each folder once.
    ///
    /// First every file is written beside its target and synced, then all are renamed in the order given, then the folders
    /// are synced. A full disk or a missing folder is thus met before anything is replaced; a failing rename, or death,
    /// leaves the files before it new and the others old. All temporary files are there at once: the disk must hold the
    /// whole batch beside the old files, memory only the names. A path that comes twice ends as the later one.
    ///
    /// - Throws: ``BatchWriteError``, which says what was written. No temporary file is left.
    public func writeAll(
        _ contents: some Sequence<FileContent>, ifExists existing: ExistingFile = .replace
    ) throws(BatchWriteError) {
        let prepared = try prepareAll(contents, existing)
        var written: [String] = []
        for (index, file) in prepared.enumerated() {
            do { try file.publish() } catch {
                for rest in prepared[(index + 1)...] { rest.abandon() }
                // What is written shall last, and the error that stopped it is the one to tell.
                do { try finishAll(prepared[..<index]) } catch {}
                throw BatchWriteError(written: written, cause: error)
            }
            written.append(file.path)
        }
        do { try finishAll(prepared[...]) } catch { throw BatchWriteError(written: written, cause: error) }
    }

    private func prepareAll(
        _ contents: some Sequence<FileContent>, _ existing: ExistingFile
    ) throws(BatchWriteError) -> [PreparedFile] {
        var prepared: [PreparedFile] = []
        for content in contents {
            do {
                let file = try Replacement(
                    of: content.path, permissions: content.permissions, ifExists: existing, by: self)
                prepared.append(try file.filled(with: content.bytes).prepared())
            } catch {
                for file in prepared { file.abandon() }
                throw BatchWriteError(written: [], cause: error)
            }
        }
        return prepared
    }

    /// Syncs every folder even if one cannot be, and throws for the first that cannot.
    private func finishAll(_ files: ArraySlice<PreparedFile>) throws(FileCoordinationError) {
        var seen: Set<PathKey> = []
        var failure: FileCoordinationError?
        for file in files where seen.insert(PathKey(file.place.folder)).inserted {
            do { try finish(file) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
