package import LLVSCore

/// A file of a snapshot's set: the manifest, which is the first, or a part of the records.
package struct SnapshotPiece: Sendable {
    /// The store it belongs to.
    package let store: StoreIdentity
    /// The lane it was written to.
    package let lane: LaneID
    /// Which piece of which set it is.
    package let place: Place
    /// The SHA-256 of its plain bytes.
    package let digest: Digest
    /// Whether nothing may follow what is known: the file has no optional feature.
    package let isExact: Bool
    /// Its plain bytes: a slice of the file if they are stored there plain.
    package let bytes: ArraySlice<UInt8>

    /// What the header of the kind says: which piece of which set a file is.
    package struct Place: Hashable, Sendable {
        /// The SHA-256 of the set's manifest.
        package let manifest: Digest
        /// From 1, which is the manifest.
        package let index: Int
        /// How many pieces the set has.
        package let count: Int

        package init(manifest: Digest, index: Int, count: Int) {
            self.manifest = manifest
            self.index = index
            self.count = count
        }

        /// The size of the header of the kind, as format 1 knows it.
        package static let byteCount = Digest.byteCount + 8

        /// The name of the file of this piece whose plain bytes have the digest `digest`.
        package func fileName(digest: Digest) -> FolderFileName {
            .snapshot(set: set, index: index, count: count, hash: NameHash(digest))
        }

        /// The characters that stand for the set in names.
        package var set: String { String(manifest.base32.prefix(FolderFileName.setCharacterCount)) }
    }

    /// The name the file was written under.
    package var fileName: FolderFileName { place.fileName(digest: digest) }

    /// The file of these 1 to 8 MiB bytes, deflated if that is smaller.
    package static func encode(
        _ bytes: ArraySlice<UInt8>, at place: Place, store: StoreIdentity, lane: LaneID, deflating: Bool = true
    ) -> FolderFile.Encoded {
        precondition(1...Piece.greatestByteCount ~= bytes.count, "A piece has 1 byte to 8 MiB, got \(bytes.count).")
        var header = ByteWriter()
        header.append(place.manifest)
        header.count(place.index)
        header.count(place.count)
        let file = FolderFile.encode(
            .snapshot, store: store, lane: lane, ownHeader: header.bytes, body: bytes, deflating: deflating)
        return FolderFile.Encoded(
            name: place.fileName(digest: SHA256.hash(bytes)), bytes: file.bytes, digest: file.digest)
    }

    /// Reads the bytes of a whole file.
    package static func decode(_ bytes: [UInt8]) -> FolderFileOutcome<SnapshotPiece> {
        FolderFile.decode(bytes).reading(decode)
    }

    /// Reads a verified file. One of another kind is `.damaged`: it is not what was looked for.
    package static func decode(_ file: FolderFile) -> FolderFileOutcome<SnapshotPiece> {
        guard file.header.kind == .snapshot else { return .damaged("it is no piece of a snapshot") }
        do {
            let isExact = file.header.optionalFeatures == 0
            let place = try Place(decoding: file.ownHeader, isExact: isExact)
            let plain = try file.plainBody()
            let digest = SHA256.hash(plain)
            guard place.index > 1 || digest == place.manifest else {
                return .damaged("it is not the manifest its header names")
            }
            return .verified(
                SnapshotPiece(
                    store: file.header.store, lane: file.header.lane, place: place, digest: digest, isExact: isExact,
                    bytes: plain))
        } catch {
            return .damaged(error.what)
        }
    }
}

extension SnapshotPiece.Place {
    init(decoding bytes: ArraySlice<UInt8>, isExact: Bool) throws(StoreError) {
        var reader = ByteReader(bytes, of: "header of the piece")
        manifest = try reader.digest()
        index = Int(try reader.u32())
        count = Int(try reader.u32())
        guard 2...FolderFileName.greatestPieceCount ~= count, 1...count ~= index else {
            throw reader.failure("has the index \(index) of \(count)")
        }
        if isExact { try reader.expectEnd() }
    }
}
