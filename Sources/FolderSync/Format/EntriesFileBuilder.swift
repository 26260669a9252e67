package import LLVSCore

/// Puts entries of a lane into a file, one after the other.
///
/// ```swift
/// var builder = EntriesFileBuilder(store: store, lane: lane, after: chain)
/// repeat { try builder.append(record, bodies: bodies) } while !builder.isFull && …
/// let file = builder.finish(seen: seen)
/// ```
package struct EntriesFileBuilder: Sendable {
    /// The lane before the first entry.
    package let before: LaneChain
    /// The lane after the last entry so far.
    package private(set) var after: LaneChain

    private let store: StoreIdentity
    private let lane: LaneID
    private var body = ByteWriter()

    /// A file takes versions until its plain body is longer than this: 4 MiB.
    package static let intendedLength = 4 << 20

    /// Begins a file with the entry that follows `before`.
    package init(store: StoreIdentity, lane: LaneID, after before: LaneChain) {
        self.store = store
        self.lane = lane
        self.before = before
        after = before
    }

    /// Whether nothing was appended yet.
    package var isEmpty: Bool { after == before }
    /// How long the plain body is.
    package var length: Int { body.bytes.count }
    /// Whether the next version belongs into the next file.
    package var isFull: Bool { length > Self.intendedLength }

    /// Appends a version with where the body of each of its insertions and updates is, in the order of the change list.
    /// - Throws: ``FolderSyncError/Code/tooLarge`` if there is no room for it; nothing is appended then. In an empty file it
    ///   means that the version fits into none.
    package mutating func append(_ record: VersionRecord, bodies: [EntriesFile.Body]) throws(FolderSyncError) {
        let storing = record.changes.storing.count
        precondition(bodies.count == storing, "Version \(record.id) stores \(storing) bodies, got \(bodies.count).")
        let size = EntriesFile.Entry.byteCount(record, bodies: bodies)
        guard length + 4 + size <= FolderFile.Header.greatestEntriesLength else {
            throw FolderSyncError(
                .tooLarge, "version \(record.id) changes too much at once to be sent",
                remedy: "save large amounts of changes as several versions")
        }
        EntriesFile.Entry.encode(record, bodies: bodies, into: &body)
        after = after.appending(record)
    }

    /// Appends the records of a verified file that goes on where this one ends, as they are. `after` is what that file states.
    package mutating func append(_ records: ArraySlice<UInt8>, upTo after: LaneChain) {
        body.append(records)
        self.after = after
    }

    /// The file of what was appended, of which there must be something. `seen` is how far the writer has the other lanes; its
    /// own is left out.
    package func finish(seen: [LaneID: LaneChain], deflating: Bool = true) -> FolderFile.Encoded {
        precondition(!isEmpty, "A file of entries has at least one.")
        let stated = EntriesFile.Header(before: before, after: after, seen: seen)
        let others = seen.filter { $0.key != lane }.sorted { $0.key < $1.key }
        var header = ByteWriter()
        header.u64(stated.range.lowerBound)
        header.u64(stated.range.upperBound)
        header.append(before.digest)
        header.append(after.digest)
        header.count(others.count)
        for (lane, chain) in others {
            header.append(lane.bytes)
            header.u64(chain.sequence)
            header.append(chain.digest)
        }
        let file = FolderFile.encode(
            .entries, store: store, lane: lane, ownHeader: header.bytes, body: body.bytes[...], deflating: deflating)
        return FolderFile.Encoded(
            name: stated.fileName(digest: file.digest), bytes: file.bytes, digest: file.digest)
    }
}

extension EntriesFile.Entry {
    /// How many bytes a record takes, without its length.
    static func byteCount(_ record: VersionRecord, bodies: [EntriesFile.Body]) -> Int {
        let sizes = [
            magic.count, 4 + record.id.utf8.count, 4 + record.header.count, 4 + record.changesBytes.count, 4,
        ]
        return sizes.reduce(0, +) + bodies.reduce(0) { $0 + $1.byteCount }
    }

    /// Writes a record with its length.
    static func encode(_ record: VersionRecord, bodies: [EntriesFile.Body], into writer: inout ByteWriter) {
        writer.count(byteCount(record, bodies: bodies))
        writer.append(magic)
        writer.lengthPrefixed(record.id.utf8)
        writer.lengthPrefixed(record.header)
        writer.lengthPrefixed(record.changesBytes)
        writer.count(bodies.count)
        for item in bodies { item.encode(into: &writer) }
    }
}

extension EntriesFile.Body {
    /// How many bytes it takes in a record.
    var byteCount: Int {
        switch self {
        case .inline(let bytes): Self.leastByteCount + bytes.count
        case .pieces(_, let extents): Self.leastByteCount + 4 + extents.count * Self.extentByteCount
        }
    }

    func encode(into writer: inout ByteWriter) {
        switch self {
        case .inline(let bytes):
            precondition(bytes.count <= BodyPacking.greatestInlineLength, "\(bytes.count) bytes are too many inline.")
            writer.u8(Self.inlineForm)
            writer.u64(UInt64(bytes.count))
            writer.append(bytes)
        case .pieces(let length, let extents):
            writer.u8(Self.piecesForm)
            writer.u64(length)
            writer.count(extents.count)
            for extent in extents {
                writer.append(extent.piece)
                writer.u64(extent.offset)
                writer.u64(extent.length)
            }
        }
    }
}
