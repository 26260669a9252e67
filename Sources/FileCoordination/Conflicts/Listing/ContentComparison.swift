/// Finds copies whose bytes are those of the original or of another copy. Lengths are compared first; then both files are
/// read side by side, up to the first difference, in pieces of 64 KiB.
struct ContentComparison {
    let files: any FileSystem

    /// Marks every copy that is a file. One that cannot be read stays unmarked and is among the failures.
    func mark(_ report: inout ConflictReport) {
        var groups: [[Int]] = []
        var numbers: [ConflictRoot: Int] = [:]
        for place in report.conflicts.indices where report.conflicts[place].state.kind == .file {
            let root = ConflictRoot(report.conflicts[place])
            if let number = numbers[root] {
                groups[number].append(place)
            } else {
                numbers[root] = groups.count
                groups.append([place])
            }
        }
        for group in groups { mark(group, &report) }
    }

    /// One of each content that was met; the originals come first.
    private func mark(_ copies: [Int], _ report: inout ConflictReport) {
        var met: [(path: String, size: Int64, place: Int?)] = []
        if let first = copies.first, let root = report.conflicts[first].rootState, root.kind == .file {
            met.append((report.conflicts[first].root, root.size, nil))
        }
        for place in copies {
            let copy = report.conflicts[place]
            do {
                let twin = try met.first { other in
                    try other.size == copy.state.size && areEqual(other.path, copy.path)
                }
                report.conflicts[place].sameContent = twin != nil
                report.conflicts[place].sameAs = twin?.path
                if let other = twin?.place, report.conflicts[other].sameContent == false {
                    report.conflicts[other].sameContent = true
                    report.conflicts[other].sameAs = copy.path
                }
                if twin == nil { met.append((copy.path, copy.state.size, place)) }
            } catch let error as FileCoordinationError { report.failures.append(error) } catch {}
        }
    }

    func areEqual(_ path: String, _ other: String) throws(FileCoordinationError) -> Bool {
        let first = try open(path)
        defer { close(first) }
        let second = try open(other)
        defer { close(second) }
        let size = 1 << 16
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * size, alignment: 16)
        defer { buffer.deallocate() }
        let (left, right) = (
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]),
            UnsafeMutableRawBufferPointer(rebasing: buffer[size...])
        )
        while true {
            let got = try fill(left, first, path)
            let gotToo = try fill(right, second, other)
            if got != gotToo || !left[..<got].elementsEqual(right[..<got]) { return false }
            if got < size { return true }
        }
    }

    private func open(_ path: String) throws(FileCoordinationError) -> OpenFile {
        try naming(path, FileCoordinationError.reading) { () throws(Errno) in
            try files.open(path, [.read, .noFollow, .nonBlocking])
        }
    }

    /// It was only read.
    private func close(_ file: OpenFile) { do { try files.close(file) } catch {} }

    /// Until the buffer is full or the file ends.
    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, _ file: OpenFile, _ path: String
    ) throws(FileCoordinationError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let got = try naming(path, FileCoordinationError.reading) { () throws(Errno) in
                try files.read(file, into: rest)
            }
            if got == 0 { break }
            count += got
        }
        return count
    }
}
