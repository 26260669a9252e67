package import LLVSCore

/// A point on a lane: how many entries it has so far, and the hash that stands for exactly these entries in this order.
///
/// Two lanes of one name that are not the same lane (clones, restored backups) have different chains from where they part.
/// The chain covers version ids, headers and change lists; bodies, pieces and compression are not in it, so that packing
/// and pruning leave it alone.
package struct LaneChain: Hashable, Sendable {
    /// The number of the last entry; 0 at the start.
    package let sequence: UInt64
    /// The hash of everything up to there.
    package let digest: Digest

    /// A point that was recorded.
    package init(sequence: UInt64, digest: Digest) {
        self.sequence = sequence
        self.digest = digest
    }

    /// The start of a lane: SHA-256("lane1" ‖ store ‖ lane).
    package init(startOf lane: LaneID, in store: StoreIdentity) {
        self.init(sequence: 0, digest: SHA256.hash([UInt8]("lane1".utf8) + store.bytes + lane.bytes))
    }

    /// The point after one more entry: SHA-256(this ‖ u16 id length ‖ id ‖ SHA-256(version bytes ‖ change list bytes)).
    package func appending(_ record: VersionRecord) -> Self { appending(record.id, record: record.digest) }

    /// The point after an entry whose version has this id and whose record has this digest.
    package func appending(_ id: Version.ID, record: Digest) -> Self {
        let id = id.utf8
        var writer = ByteWriter(reserving: 2 * Digest.byteCount + 2 + id.count)
        writer.append(digest)
        writer.u16(UInt16(id.count))
        writer.append(id)
        writer.append(record)
        return Self(sequence: sequence + 1, digest: SHA256.hash(writer.bytes))
    }
}
