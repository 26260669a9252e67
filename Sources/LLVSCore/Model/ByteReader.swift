/// Reads integers, digests and runs of bytes one after the other, and throws where the bytes end first.
///
/// Integers are little-endian and of fixed width. A length is compared with the bytes that are there before anything is
/// allocated for it, so that no foreign number costs memory.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private let subject: String
    private let code: StoreError.Code
    /// How many bytes were read.
    package private(set) var position = 0

    /// Reads from the start of `bytes`. `subject` names them in errors ("change list"), which are of `code`.
    package init(_ bytes: ArraySlice<UInt8>, of subject: String, code: StoreError.Code = .damaged) {
        self.bytes = bytes
        self.subject = subject
        self.code = code
    }

    /// Reads from the start of `bytes`. `subject` names them in errors ("change list"), which are of `code`.
    package init(_ bytes: [UInt8], of subject: String, code: StoreError.Code = .damaged) {
        self.init(bytes[...], of: subject, code: code)
    }

    /// How many bytes are left.
    package var remaining: Int { bytes.count - position }

    /// The next byte.
    package mutating func u8() throws(StoreError) -> UInt8 { try integer() }
    /// The next two bytes.
    package mutating func u16() throws(StoreError) -> UInt16 { try integer() }
    /// The next four bytes.
    package mutating func u32() throws(StoreError) -> UInt32 { try integer() }
    /// The next eight bytes.
    package mutating func u64() throws(StoreError) -> UInt64 { try integer() }
    /// The next eight bytes, signed.
    package mutating func i64() throws(StoreError) -> Int64 { try integer() }

    /// The next `count` bytes, shared with what is read from.
    package mutating func slice(_ count: Int) throws(StoreError) -> ArraySlice<UInt8> {
        let start = bytes.startIndex + (try take(count))
        return bytes[start..<start + count]
    }

    /// The next `count` bytes.
    package mutating func bytes(_ count: Int) throws(StoreError) -> [UInt8] { [UInt8](try slice(count)) }

    /// A u32 length and as many bytes.
    package mutating func lengthPrefixed() throws(StoreError) -> [UInt8] { try bytes(Int(u32())) }

    /// A u32 length and as many bytes, shared with what is read from.
    package mutating func lengthPrefixedSlice() throws(StoreError) -> ArraySlice<UInt8> { try slice(Int(u32())) }

    /// A u32 count of entries that take at least `size` bytes each, which is refused if so many do not fit in what is left.
    package mutating func count(ofEntriesOf size: Int) throws(StoreError) -> Int {
        let count = Int(try u32())
        guard count <= remaining / size else {
            throw failure("states \(count) entries at byte \(position - 4) and has room for \(remaining / size)")
        }
        return count
    }

    /// The next 32 bytes.
    package mutating func digest() throws(StoreError) -> Digest {
        let start = try take(Digest.byteCount)
        return bytes.withUnsafeBytes { Digest(loading: UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    /// Reads what must come next, such as the name of a format.
    package mutating func expect(_ expected: [UInt8]) throws(StoreError) {
        let start = position
        guard try slice(expected.count).elementsEqual(expected) else {
            throw failure("does not have '\(String(decoding: expected, as: UTF8.self))' at byte \(start)")
        }
    }

    /// Throws unless everything was read.
    package func expectEnd() throws(StoreError) {
        if remaining > 0 { throw failure("has \(remaining) bytes too many after byte \(position)") }
    }

    /// The error that the bytes are wrong: "the <subject> <problem>".
    package func failure(_ problem: String) -> StoreError {
        StoreError(code, "the \(subject) \(problem)", remedy: "take it again from another copy")
    }

    private mutating func integer<Integer: FixedWidthInteger>() throws(StoreError) -> Integer {
        let start = try take(MemoryLayout<Integer>.size)
        return bytes.withUnsafeBytes {
            Integer(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Integer.self))
        }
    }

    /// Moves on by `count` bytes and returns where they start.
    private mutating func take(_ count: Int) throws(StoreError) -> Int {
        guard count >= 0, count <= remaining else {
            throw failure("has no \(count) bytes at byte \(position) of \(bytes.count)")
        }
        defer { position += count }
        return position
    }
}
