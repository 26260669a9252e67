extension FileSystem {
    /// The whole content of a regular file.
    ///
    /// Never waits for a FIFO, and never trusts the size the file system states: a file that grows, shrinks or lies is read
    /// to its real end. At most `limit` bytes and one are ever held.
    ///
    /// - Throws: ``FileCoordinationError``: `.tooLarge` beyond the limit, `.isDirectory`, `.notRegularFile`,
    ///   `.noSuchFile`, and `.link` for a link that is not followed.
    public func readFile(
        at path: String, limit: Int = .max, followLinks: Bool = true
    ) throws(FileCoordinationError) -> [UInt8] {
        try withRegularFile(at: path, followLinks: followLinks) { (file, size) throws(FileCoordinationError) in
            if size > Int64(limit) { throw .tooLarge(path, limit: limit) }
            var bytes: [UInt8] = []
            // One byte more than expected, so that the end is seen without growing.
            var room = Int(min(max(size, 0), largestRead)) + 1
            while true {
                if limit < .max { room = min(room, limit + 1 - bytes.count) }
                let got = try naming(path, FileCoordinationError.reading) { () throws(Errno) in
                    try bytes.append(atMost: room) { buffer throws(Errno) in try read(file, into: buffer) }
                }
                if got == 0 { return bytes }
                if bytes.count > limit { throw .tooLarge(path, limit: limit) }
                room = max(1 << 16, Int(min(size - Int64(bytes.count) + 1, largestRead)))
            }
        }
    }

    /// Up to `count` bytes of a regular file from `offset` on; fewer only where the file ends.
    ///
    /// - Throws: ``FileCoordinationError`` as ``readFile(at:limit:followLinks:)``.
    public func readFile(
        at path: String, from offset: Int64, count: Int, followLinks: Bool = true
    ) throws(FileCoordinationError) -> [UInt8] {
        try withRegularFile(at: path, followLinks: followLinks) { (file, size) throws(FileCoordinationError) in
            var bytes: [UInt8] = []
            while bytes.count < count {
                let position = offset + Int64(bytes.count)
                let expected = Int(min(max(size - position, 1 << 12), largestRead))
                let got = try naming(path, FileCoordinationError.reading) { () throws(Errno) in
                    try bytes.append(atMost: min(count - bytes.count, expected)) { buffer throws(Errno) in
                        try read(file, from: position, into: buffer)
                    }
                }
                if got == 0 { break }
            }
            return bytes
        }
    }

    /// Gives the whole content to `body` piece by piece until that says false; the number of bytes it got.
    func readPieces(
        of path: String, size: Int, followLinks: Bool, _ body: (UnsafeRawBufferPointer) -> Bool
    ) throws(FileCoordinationError) -> Int64 {
        try withRegularFile(at: path, followLinks: followLinks) { (file, stated) throws(FileCoordinationError) in
            let room = Int(min(max(stated, 1 << 12), Int64(max(size, 1))))
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
            defer { buffer.deallocate() }
            var total: Int64 = 0
            while true {
                let got = try naming(path, FileCoordinationError.reading) { () throws(Errno) in
                    try read(file, into: buffer)
                }
                if got == 0 { return total }
                total += Int64(got)
                if !body(UnsafeRawBufferPointer(rebasing: buffer[..<got])) { return total }
            }
        }
    }

    private func withRegularFile<R>(
        at path: String, followLinks: Bool, _ body: (OpenFile, Int64) throws(FileCoordinationError) -> R
    ) throws(FileCoordinationError) -> R {
        let options: OpenOptions = followLinks ? [.read, .nonBlocking] : [.read, .nonBlocking, .noFollow]
        let file = try naming(path, FileCoordinationError.reading) { () throws(Errno) in try open(path, options) }
        defer {
            // Nothing was written, so a failing close loses nothing.
            do { try close(file) } catch {}
        }
        let attributes = try naming(path, FileCoordinationError.reading) { () throws(Errno) in
            try self.attributes(of: file)
        }
        switch attributes.kind {
        case .file: return try body(file, attributes.size)
        case .directory: throw .reading(path, .isDirectory)
        case .link, .other: throw .notRegularFile(path)
        }
    }
}

/// No more is allocated for one read, whatever size the file system states.
private let largestRead: Int64 = 1 << 26

extension [UInt8] {
    /// Makes room that nobody has zeroed, lets `read` fill some of it, and keeps that much.
    fileprivate mutating func append(
        atMost room: Int, _ read: (UnsafeMutableRawBufferPointer) throws(Errno) -> Int
    ) throws(Errno) -> Int {
        var failure: Errno?
        let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            do throws(Errno) {
                count = try read(UnsafeMutableRawBufferPointer(buffer))
            } catch { failure = error }
        }
        if let failure { throw failure }
        // The first piece is the whole file as a rule, and is not copied.
        if isEmpty { self = piece } else { append(contentsOf: piece) }
        return piece.count
    }
}
