package import LLVSCore

/// The container every file of a lane has: a header with the length of the whole, the kind's own header, a body, and the
/// SHA-256 of all bytes before it.
///
/// A `FolderFile` is verified. It holds the bytes of the file once; its parts are slices of them.
package struct FolderFile: Sendable {
    /// The fixed part of the header.
    package let header: Header
    /// The bytes of the whole file.
    package let bytes: [UInt8]
    /// The hash of all bytes but the trailer, which is the trailer.
    package let digest: Digest
    /// Whether a transform had to open it: the trailer is then the sealed file's.
    package var wasSealed = false

    /// What every container begins with.
    package static let magic = [UInt8]("LLVSfile".utf8)
    /// The size of the trailer.
    static let trailerByteCount = Digest.byteCount

    /// What the file is for.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        /// The number in the header.
        package let rawValue: UInt8
        /// The kind of this number, known or not.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Entries of a lane.
        package static let entries = Kind(rawValue: 1)
        /// A piece of values.
        package static let piece = Kind(rawValue: 2)
        /// A piece of a snapshot.
        package static let snapshot = Kind(rawValue: 3)
        /// A note.
        package static let note = Kind(rawValue: 4)
    }

    /// The header of the file's kind.
    package var ownHeader: ArraySlice<UInt8> { bytes[Header.byteCount...].prefix(Int(header.ownHeaderLength)) }

    /// The body as it lies in the file: plain or deflated.
    package var storedBody: ArraySlice<UInt8> {
        bytes[(Header.byteCount + Int(header.ownHeaderLength))..<(bytes.count - Self.trailerByteCount)]
    }

    /// The plain body: a slice of the file if it is stored, else inflated into as many bytes as the header says.
    /// - Throws: `.damaged` if it does not inflate to exactly those.
    package func plainBody() throws(StoreError) -> ArraySlice<UInt8> {
        guard header.coding == Header.deflated else { return storedBody }
        guard let plain = Deflate.inflate(storedBody, to: Int(header.plainLength)) else {
            throw StoreError(
                .damaged, "its compressed body does not have the length the header says",
                remedy: "take it again from another copy")
        }
        return plain[...]
    }

    /// Reads the bytes of a whole file. One that is sealed is read as what it holds, if `seal` opens it, and else is `.future`.
    package static func decode(
        _ bytes: [UInt8], opening seal: FolderSeal? = nil
    ) -> FolderFileOutcome<FolderFile> {
        let header: Header
        switch peek(bytes[...], fileLength: UInt64(bytes.count)) {
        case .header(let found): header = found
        case .arriving(let have, let whole): return .arriving(have: have, of: whole)
        case .damaged(let reason): return .damaged(reason)
        case .foreign: return .foreign
        }
        let hashed = bytes.dropLast(trailerByteCount)
        let digest = SHA256.hash(hashed)
        guard digest == Digest(bytes: [UInt8](bytes[hashed.endIndex...])) else {
            return .damaged("its hash does not match its bytes")
        }
        if let reason = header.future { return .future(reason) }
        let file = FolderFile(header: header, bytes: bytes, digest: digest)
        return header.isSealed ? FolderSeal.open(file, with: seal) : .verified(file)
    }
}
