/// Looks at names, sizes and times of what is in a folder, or in everything below it.
///
/// Costs one listing for each folder and one `fstatat(2)` for each entry; memory is that of the largest folder. Links are not
/// followed, and folders whose names are not UTF-8 are not gone into. A subfolder that this user may not list counts as that. A folder that is not there cannot be looked at: a disk
/// that is away deletes nothing.
public struct FolderProbe: ChangeProbe {
    /// How far a probe looks.
    public enum Depth: Hashable, Sendable {
        /// At the entries of the folder. Of changes deeper down only those are seen that change the time of a subfolder.
        case entries
        /// At everything below, up to so many entries; a larger tree is an error, never looked at in part.
        case tree(limit: Int)
    }

    private let path: String
    private let depth: Depth
    private let ignores: @Sendable (String) -> Bool
    private let files: any FileSystem

    /// A probe of the folder at `path`.
    ///
    /// - Parameters:
    ///   - depth: How far it looks.
    ///   - ignores: Names that do not count; by default those of temporary files of editors and services.
    ///   - files: The seam to the disk.
    public init(
        _ path: String, depth: Depth = .entries,
        ignores: @escaping @Sendable (String) -> Bool = TemporaryNames.isTemporary, files: any FileSystem = .local
    ) {
        self.path = path
        self.depth = depth
        self.ignores = ignores
        self.files = files
    }

    /// - Throws: ``FileCoordinationError``, with `.limitReached` for a tree that is too large, or `CancellationError`.
    public func fingerprint() async throws -> ChangeFingerprint {
        try await BlockingCall.run { try look() }
    }

    private func look() throws(FileCoordinationError) -> ChangeFingerprint {
        var builder = ChangeFingerprint.Builder()
        var folders = [path]
        var count = 0
        while let folder = folders.popLast() {
            let found: [Entry]
            do { found = try entries(of: folder) } catch {
                guard folder != path else { throw .listing(folder, error) }
                switch error {
                // It went while we looked; its parent's time says so next time.
                case .noSuchFile, .notDirectory: continue
                case .accessDenied, .notPermitted:
                    builder.add(Int64(error.rawValue))
                    continue
                default: throw .listing(folder, error)
                }
            }
            count += found.count
            builder.add(Int64(found.count))
            for entry in found { entry.add(to: &builder) }
            guard case .tree(let limit) = depth else { break }
            if count > limit { throw .tooManyEntries(path, limit: limit) }
            // Backwards, because the last is taken first. Deeper folders follow in an order that only names decide.
            folders += found.reversed().compactMap { $0.subfolder(of: folder) }
        }
        return builder.finish()
    }

    /// What is in the folder, by the bytes of the names.
    private func entries(of folder: String) throws(Errno) -> [Entry] {
        let directory = try files.open(folder, folder == path ? [.read, .directory] : [.read, .directory, .noFollow])
        return try files.closing(directory) { () throws(Errno) in
            var entries: [Entry] = []
            for entry in try files.list(directory) {
                if let name = entry.name, ignores(name) { continue }
                do throws(Errno) {
                    let attributes = try files.attributes(ofEntry: entry.nameBytes, in: directory)
                    entries.append(Entry(name: entry.nameBytes, attributes: attributes))
                } catch {
                    // It went while we looked.
                    if error != .noSuchFile { throw error }
                }
            }
            return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
        }
    }

    private struct Entry {
        let name: [UInt8]
        let attributes: FileAttributes

        func add(to builder: inout ChangeFingerprint.Builder) {
            builder.add(name)
            builder.add(attributes)
        }

        func subfolder(of folder: String) -> String? {
            guard attributes.kind == .directory, let name = String(validating: name, as: UTF8.self) else { return nil }
            return FilePlace.join(folder, name)
        }
    }
}

extension FileCoordinationError {
    fileprivate static func tooManyEntries(_ path: String, limit: Int) -> Self {
        Self(
            .limitReached, .list, path: path, because: "there are more than \(limit) entries below it",
            remedy: "watch a smaller folder, or allow more")
    }
}
