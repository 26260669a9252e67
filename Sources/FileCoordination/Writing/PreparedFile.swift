/// A whole and closed temporary file that takes the target's name, or goes.
struct PreparedFile: Sendable {
    let options: CoordinatedFile
    /// What errors name.
    let path: String
    let place: FilePlace
    let old: FileAttributes?
    let existing: ExistingFile
    let temporary: String

    private var files: any FileSystem { options.files }

    /// Removes it; the old file was never touched.
    func abandon() {
        // For its effect alone: the error that led here is the one to tell.
        do { try files.removeFile(temporary) } catch {}
    }

    /// Gives it the target's name as the caller wished.
    func publish() throws(FileCoordinationError) { try publish(replacing: existing == .replace) }

    /// Gives it the target's name, or removes it.
    func publish(replacing: Bool) throws(FileCoordinationError) {
        do throws(Errno) {
            do { try put(temporary, replacing: replacing) } catch {
                guard error == .crossesDevices, options.temporaryFolder != nil else { throw error }
                try publishCopy(replacing: replacing)
            }
        } catch {
            abandon()
            throw error == .notSupported && !replacing ? .creatingOnly(path, error) : .writing(path, error)
        }
    }

    /// Another mount of the same device: only a copy beside the target can be renamed.
    private func publishCopy(replacing: Bool) throws(Errno) {
        let copy = try files.copyBeside(place, from: temporary, keeping: old, durability: options.durability)
        do { try put(copy, replacing: replacing) } catch {
            do { try files.removeFile(copy) } catch {}
            throw error
        }
        // It is published; a failure to remove the first copy leaves a file that the sweep knows.
        abandon()
    }

    private func put(_ temporary: String, replacing: Bool) throws(Errno) {
        if replacing { return try files.rename(temporary, to: place.path) }
        guard try files.nameWithoutReplacing(temporary, as: place.path) else { return }
        // It is published; a failure to remove the first name leaves one that the sweep knows.
        do { try files.removeFile(temporary) } catch {}
    }
}
