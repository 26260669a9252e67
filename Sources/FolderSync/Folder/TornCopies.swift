import FileCoordination

extension SharedFolder {
    /// Whether a file under a stranger's name is the beginning of one that lies beside it under its own name: a conflict copy that
    /// a service left torn. It may never become whole, and nothing is missing that it could bring.
    func isTornCopy(_ file: Listed, among files: [Listed]) throws -> Bool {
        guard case .stranger(let text, _) = file.name else { return false }
        let originals = files.filter { $0.directory == file.directory && isNamed(text, after: $0.name) }
        guard !originals.isEmpty, let beginning = try bytes(of: file) else { return false }
        return try originals.contains { original in
            guard let whole = try bytes(of: original), whole.count > beginning.count else { return false }
            return whole.prefix(beginning.count) == beginning[...]
        }
    }

    /// Nil if it went meanwhile, or cannot be read: that is said where the file itself is judged, and stops no other.
    private func bytes(of file: Listed) throws -> [UInt8]? {
        do {
            return try read(file.path, limit: FolderFile.Header.greatestFileLength)
        } catch is FileCoordinationError {
            return nil
        }
    }

    /// Whether a stranger's name has one of ours in it, as the names of conflict copies have.
    private func isNamed(_ text: String, after name: FolderFileName) -> Bool {
        switch name {
        case .entries, .piece, .snapshot, .note: text.contains(name.text.dropLast(".llvs".count))
        case .card, .temporary, .stranger: false
        }
    }
}
