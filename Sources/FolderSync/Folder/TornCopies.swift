import FileCoordination

extension SharedFolder {
    /// Whether a file under a stranger's name is the beginning of one that lies beside it under its own name: a conflict copy that
    /// a service left torn. It may never become whole, and nothing is missing that it could bring.
    func isTornCopy(_ file: Listed, among files: [Listed]) throws -> Bool {
        guard case .stranger(let text, _) = file.name else { return false }
        for other in files where other.directory == file.directory && isNamed(text, after: other.name) {
            do {
                guard let beginning = try read(file.path, limit: FolderFile.Header.greatestFileLength),
                    let whole = try read(other.path, limit: FolderFile.Header.greatestFileLength)
                else { continue }
                if whole.count > beginning.count, whole.prefix(beginning.count) == beginning[...] { return true }
            } catch let error as FileCoordinationError where error.errno == .noSuchFile {
                continue
            }
        }
        return false
    }

    /// Whether a stranger's name has one of ours in it, as the names of conflict copies have.
    private func isNamed(_ text: String, after name: FolderFileName) -> Bool {
        switch name {
        case .entries, .piece, .snapshot, .note: text.contains(name.text.dropLast(".llvs".count))
        case .card, .temporary, .stranger: false
        }
    }
}
