/// Walks a tree, folder by folder, and gathers what is in conflict.
struct ConflictListing {
    let files: any FileSystem
    let options: ConflictListingOptions
    /// Asked between folders.
    let isCancelled: () -> Bool

    func report(at path: String) throws(FileCoordinationError) -> ConflictReport {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        var report = ConflictReport(conflicts: [], failures: [])
        if try isFolder(path) {
            try walk(path, &report)
        } else {
            guard let place = FilePlace(path) else { throw .reading(path, .noSuchFile) }
            var own = options
            own.isRecursive = false
            let found = try conflicts(in: place.folder, own, followLinks: true)
            report.conflicts = found.conflicts.filter { files.isCopy($0, of: place.path) }
            // By letters: a service may spell the name otherwise.
            report.temporary = found.temporary.filter { $0.standsFor == place.path }
        }
        report.conflicts.sort { $0.path < $1.path }
        report.temporary.sort { $0.path < $1.path }
        if options.comparesContent { ContentComparison(files: files).mark(&report) }
        return report
    }

    private func isFolder(_ path: String) throws(FileCoordinationError) -> Bool {
        do { return try files.attributes(at: path, followLinks: true).kind == .directory } catch {
            // The copies of a file that is gone are still its copies.
            if error == .noSuchFile || error == .linkLoop { return false }
            throw .reading(path, error)
        }
    }

    /// The folder itself may be a link; below it none is followed.
    private func walk(_ root: String, _ report: inout ConflictReport) throws(FileCoordinationError) {
        var waiting = [root]
        while let folder = waiting.popLast(), !isCancelled() {
            do {
                let found = try conflicts(in: folder, options, followLinks: folder == root)
                report.conflicts += found.conflicts
                report.temporary += found.temporary
                waiting += found.subfolders
            } catch {
                if folder == root { throw error }
                // Removed, or replaced by something else, since its parent was read.
                if ![.noSuchFile, .notDirectory, .link].contains(error.code) { report.failures.append(error) }
            }
        }
    }

    private func conflicts(
        in folder: String, _ options: ConflictListingOptions, followLinks: Bool
    ) throws(FileCoordinationError) -> FolderConflicts {
        try naming(folder, FileCoordinationError.listing) { () throws(Errno) in
            try FolderConflicts(of: folder, in: files, options, followLinks: followLinks)
        }
    }
}
