/// The names in one folder as they were read, kept as bytes: an ordinary name never becomes a string.
struct NameArena {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]
    private var kinds: [FileKind?] = []

    var indices: Range<Int> { 0..<kinds.count }

    mutating func append(_ name: UnsafeRawBufferPointer, _ kind: FileKind?) {
        bytes.append(contentsOf: name)
        ends.append(bytes.count)
        kinds.append(kind)
    }

    subscript(place: Int) -> ArraySlice<UInt8> { bytes[ends[place]..<ends[place + 1]] }

    /// Borrows the bytes of a name.
    func withName<R>(_ place: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[ends[place]..<ends[place + 1]])) }
    }

    /// Borrows the bytes of all names, one after another.
    @inline(__always)
    func visit(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            for place in indices { body(place, UnsafeRawBufferPointer(rebasing: bytes[ends[place]..<ends[place + 1]])) }
        }
    }

    func kind(_ place: Int) -> FileKind? { kinds[place] }

    /// Nil if the bytes are not UTF-8.
    func name(_ place: Int) -> String? { String(validating: self[place], as: UTF8.self) }
}
