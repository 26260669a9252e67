/// Puts what does not stay into a folder, under its own name or with a number after it; nothing there is replaced.
struct ConflictBackup {
    let files: any FileSystem
    let folder: String

    private static let mostNumbers = 10_000

    /// Moves the file, link or folder; a file is copied and removed where the backup folder is on another file system.
    ///
    /// `check` is asked just before anything is taken away.
    ///
    /// - Returns: Where it is now.
    func move(
        _ place: FilePlace, _ check: () throws(FileCoordinationError) -> Void
    ) throws(FileCoordinationError) -> String {
        try check()
        do { return try put(place.path, named: place.name) } catch {
            guard error == .crossesDevices else { throw .renaming(place.path, error) }
            let copy = try copy(place)
            try check()
            do { try files.removeFile(place.path) } catch { throw .deleting(place.path, error) }
            return copy
        }
    }

    /// Copies the file, and syncs the copy.
    ///
    /// - Returns: Where the copy is.
    func copy(_ place: FilePlace) throws(FileCoordinationError) -> String {
        let target = FilePlace.join(folder, place.name)
        guard let there = FilePlace(target) else { throw .writing(target, .isDirectory) }
        let copy = try naming(target, FileCoordinationError.writing) { () throws(Errno) in
            try files.copyBeside(there, from: place.path, keeping: nil, durability: .full)
        }
        do { return try put(copy, named: place.name) } catch {
            do { try files.removeFile(copy) } catch {}
            throw .writing(target, error)
        }
    }

    private func put(_ path: String, named name: String) throws(Errno) -> String {
        for number in 0..<Self.mostNumbers {
            let target = FilePlace.join(folder, Self.numbered(name, number))
            do {
                try files.moveWithoutReplacing(path, to: target)
                return target
            } catch {
                if error != .fileExists { throw error }
            }
        }
        throw .fileExists
    }

    /// Cut where it would be too long for a file system.
    private static func numbered(_ name: String, _ number: Int) -> String {
        if number == 0 { return name }
        let ending = ".\(number)"
        var base = name
        while base.utf8.count + ending.utf8.count > 255 { base.removeLast() }
        return base + ending
    }
}
