package import LLVSCore

/// A file of bytes that bodies of values are made of: 1 byte to 8 MiB.
///
/// It is named by the hash of its plain bytes, not of the file: a piece that was lost can be written again under its name
/// even if zlib has come to deflate differently since.
package struct Piece: Sendable {
    /// The store it belongs to.
    package let store: StoreIdentity
    /// The lane it was written to.
    package let lane: LaneID
    /// The SHA-256 of its bytes.
    package let digest: Digest
    /// Its plain bytes: a slice of the file if they are stored there plain.
    package let bytes: ArraySlice<UInt8>

    /// The name the file was written under.
    package var fileName: FolderFileName { .piece(NameHash(digest)) }

    /// The most bytes a piece has: 8 MiB.
    package static let greatestByteCount = Int(FolderFile.Header.greatestPieceLength)

    /// The file of these 1 to 8 MiB bytes, deflated if that is smaller.
    package static func encode(
        _ bytes: ArraySlice<UInt8>, store: StoreIdentity, lane: LaneID, deflating: Bool = true
    ) -> FolderFile.Encoded {
        precondition(1...greatestByteCount ~= bytes.count, "A piece has 1 byte to 8 MiB, got \(bytes.count) bytes.")
        let file = FolderFile.encode(.piece, store: store, lane: lane, body: bytes, deflating: deflating)
        let name = FolderFileName.piece(NameHash(SHA256.hash(bytes)))
        return FolderFile.Encoded(name: name, bytes: file.bytes, digest: file.digest)
    }

    /// Reads the bytes of a whole file.
    package static func decode(_ bytes: [UInt8]) -> FolderFileOutcome<Piece> {
        FolderFile.decode(bytes).reading(decode)
    }

    /// Reads a verified file. One of another kind is `.damaged`: it is not what was looked for.
    package static func decode(_ file: FolderFile) -> FolderFileOutcome<Piece> {
        guard file.header.kind == .piece else { return .damaged("it is no piece") }
        do {
            let plain = try file.plainBody()
            let digest = SHA256.hash(plain)
            return .verified(Piece(store: file.header.store, lane: file.header.lane, digest: digest, bytes: plain))
        } catch {
            return .damaged(error.what)
        }
    }
}
