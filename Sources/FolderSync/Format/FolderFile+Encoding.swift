package import LLVSCore

extension FolderFile {
    /// A file ready to be written.
    package struct Encoded: Sendable {
        /// Its name in the lane's directory.
        package let name: FolderFileName
        /// All its bytes.
        package let bytes: [UInt8]
        /// The trailer: the hash of the bytes before it.
        package let digest: Digest
    }

    /// The bytes of a file, with the body deflated where that makes it smaller (and `deflating` allows it), and its trailer.
    ///
    /// What deflate makes of a body is zlib's affair and may change with zlib; what is read is the same.
    static func encode(
        _ kind: Kind, store: StoreIdentity, lane: LaneID, ownHeader: [UInt8] = [], body: ArraySlice<UInt8>,
        deflating: Bool = true
    ) -> (bytes: [UInt8], digest: Digest) {
        let deflated = deflating ? Deflate.deflate(body) : nil
        let storedLength = deflated?.count ?? body.count
        let total = Header.byteCount + ownHeader.count + storedLength + trailerByteCount
        var writer = ByteWriter(reserving: total)
        Header(
            kind: kind, coding: deflated == nil ? Header.stored : Header.deflated, totalLength: UInt64(total),
            store: store,
            lane: lane, plainLength: UInt64(body.count), storedLength: UInt64(storedLength),
            ownHeaderLength: UInt32(ownHeader.count)
        ).encode(into: &writer)
        writer.append(ownHeader)
        writer.append(deflated?[...] ?? body)
        let digest = SHA256.hash(writer.bytes)
        writer.append(digest)
        return (writer.bytes, digest)
    }
}
