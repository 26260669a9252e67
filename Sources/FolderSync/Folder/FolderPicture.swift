import FileCoordination

/// A listing of a shared folder together with how its directories gave it, so that a later look costs a walk and a comparison:
/// nothing is sorted, parsed or kept, and the disk is asked for each name just once.
struct FolderPicture {
    var listing = SharedFolder.Listing()
    /// The root, then the directories that were listed.
    var directories: [Directory] = []
    /// Whether all of it could be looked at.
    var isWhole = true

    /// One directory's names in the order in which the system gives them.
    struct Directory {
        /// Nil for the root.
        let name: String?
        private var names: [UInt8] = []
        private var entries: [Entry] = []

        private struct Entry {
            let end: Int
            /// Nil where it was gone, could not be looked at, or has no name that can be opened.
            var kind: FileKind?
            /// Of a file. What is in a directory is compared name by name.
            var signature: SharedFolder.Signature?
        }

        init(name: String?, entries found: [DirectoryEntry]) {
            self.name = name
            for entry in found {
                names += entry.nameBytes
                entries.append(Entry(end: names.count))
            }
        }

        mutating func note(_ attributes: FileAttributes, at index: Int) {
            entries[index].kind = attributes.kind
            if attributes.kind == .file { entries[index].signature = SharedFolder.Signature(attributes) }
        }

        /// Whether the open directory has just these names in this order, each as it was.
        func isCurrent(_ directory: OpenFile, _ files: any FileSystem) throws(Errno) -> Bool {
            var index = 0
            var start = 0
            var isSame = true
            try files.visitEntries(of: directory) { (name, _) throws(Errno) in
                isSame = index < entries.count
                if isSame { isSame = try matches(index, from: start, name, directory, files) }
                guard isSame else { return false }
                start = entries[index].end
                index += 1
                return true
            }
            return isSame && index == entries.count
        }

        private func matches(
            _ index: Int, from start: Int, _ name: UnsafeRawBufferPointer, _ directory: OpenFile,
            _ files: any FileSystem
        ) throws(Errno) -> Bool {
            let entry = entries[index]
            guard let kind = entry.kind, name.elementsEqual(names[start..<entry.end]) else { return false }
            let now = try files.attributes(ofEntry: name, in: directory)
            guard now.kind == kind else { return false }
            return entry.signature.map { $0 == SharedFolder.Signature(now) } ?? true
        }
    }

    /// Whether the folder looks just so now. Whatever cannot be looked at is a reason to look properly.
    func isCurrent(in folder: SharedFolder) -> Bool {
        isWhole
            && directories.allSatisfy { directory in
                let path = directory.name.map(folder.url) ?? folder.path
                do {
                    let options: OpenOptions =
                        directory.name == nil ? [.read, .directory] : [.read, .directory, .noFollow]
                    let open = try folder.files.open(path, options)
                    return try folder.files.closing(open) { () throws(Errno) in
                        try directory.isCurrent(open, folder.files)
                    }
                } catch {
                    return false
                }
            }
    }
}
