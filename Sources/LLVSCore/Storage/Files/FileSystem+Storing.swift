import FileCoordination

/// Runs a call of the file system; its failure becomes the store's.
func storing<Result>(_ what: String, _ path: String, _ body: () throws(Errno) -> Result) throws(StoreError) -> Result {
    do { return try body() } catch { throw .systemCall(what, error.rawValue, path: path) }
}

extension FileSystem {
    /// Opens a file of a storage; a new one is private to the user.
    func opening(_ path: String, _ options: OpenOptions) throws(StoreError) -> OpenFile {
        try storing("a file of the store cannot be opened", path) { () throws(Errno) in
            try open(path, options, permissions: .privateFile)
        }
    }

    /// Closes a file of which nothing more is wanted: what was to be flushed is by now, or has failed.
    func abandon(_ file: OpenFile) {
        do { try close(file) } catch {}
    }

    /// The bytes at `offset`, or nil if there are fewer.
    func read(_ count: Int, of file: OpenFile, at offset: Int64, path: String) throws(StoreError) -> [UInt8]? {
        var failure: Errno?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            do throws(Errno) {
                while filled < count {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<count])
                    let got = try read(file, from: offset + Int64(filled), into: rest)
                    if got == 0 { break }
                    filled += got
                }
            } catch { failure = error }
        }
        if let failure { throw .systemCall("the store cannot be read", failure.rawValue, path: path) }
        return bytes.count == count ? bytes : nil
    }

    /// Writes all of the bytes at the end of a file that is open for appending.
    func append(_ bytes: [UInt8], to file: OpenFile, path: String) throws(StoreError) {
        var failure: Errno?
        bytes.withUnsafeBytes { all in
            var rest = all[...]
            do throws(Errno) {
                while !rest.isEmpty {
                    let written = try write(UnsafeRawBufferPointer(rebasing: rest), to: file)
                    if written <= 0 { throw .inputOutput }
                    rest = rest.dropFirst(written)
                }
            } catch { failure = error }
        }
        if let failure { throw .systemCall("the store cannot be written to", failure.rawValue, path: path) }
    }

    /// Flushes the names in a folder; a file system that cannot do that for folders is not at fault.
    func flushNames(in folder: String) throws(StoreError) {
        try storing("a folder cannot be flushed to the disk", folder) { () throws(Errno) in
            do throws(Errno) { try syncDirectory(folder) } catch {
                if ![Errno.invalidArgument, .notSupported, .notImplemented].contains(error) { throw error }
            }
        }
    }
}
