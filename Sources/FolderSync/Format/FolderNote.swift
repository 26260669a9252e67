package import LLVSCore

/// Something that is said once about a lane or a store: a file of the kind 4. It counts under whatever name and in whatever
/// directory, if it verifies.
package struct FolderNote: Hashable, Sendable {
    /// The store it belongs to.
    package let store: StoreIdentity
    /// The lane it was written to.
    package let lane: LaneID
    /// What it says.
    package let subject: Subject
    /// The file's trailer.
    package let digest: Digest

    /// The name the file was written under.
    package var fileName: FolderFileName { .note(NameHash(digest)) }

    /// What a note says.
    package enum Subject: Hashable, Sendable {
        /// Nobody writes this lane any more. The point is the last that the note's writer knows to be written; the start: it
        /// knows of none.
        case retired(LaneID, end: LaneChain)
        /// The note's store took the place of this one: its card no longer counts.
        case adopted(StoreIdentity)
        /// What this lane had between these points is in the note's own lane, not beyond its number `upTo`, or in files that
        /// others keep.
        case carried(LaneID, from: LaneChain, to: LaneChain, upTo: UInt64)
    }

    /// No file of a note is longer: a reader takes no more into memory.
    static let greatestFileLength = FolderFile.Header.byteCount + greatestOwnHeaderLength + FolderFile.trailerByteCount
    /// The longest header of the kind.
    static let greatestOwnHeaderLength = 4_096

    /// The file that says it. The same statement in the same lane is always the same bytes.
    package static func encode(_ subject: Subject, store: StoreIdentity, lane: LaneID) -> FolderFile.Encoded {
        let file = FolderFile.encode(
            .note, store: store, lane: lane, ownHeader: subject.encoded, body: [], deflating: false)
        return FolderFile.Encoded(name: .note(NameHash(file.digest)), bytes: file.bytes, digest: file.digest)
    }

    /// Reads the bytes of a whole file.
    package static func decode(_ bytes: [UInt8]) -> FolderFileOutcome<FolderNote> {
        FolderFile.decode(bytes).reading(decode)
    }

    /// Reads a verified file. One of another kind is `.damaged`: it is not what was looked for. A note about something that
    /// only later versions know is `.future`.
    package static func decode(_ file: FolderFile) -> FolderFileOutcome<FolderNote> {
        guard file.header.kind == .note else { return .damaged("it is no note") }
        do {
            let subject = try Subject(decoding: file.ownHeader, allowingMore: file.header.optionalFeatures != 0)
            if let problem = subject.contradiction(in: file) { return .damaged(problem) }
            return .verified(
                FolderNote(store: file.header.store, lane: file.header.lane, subject: subject, digest: file.digest))
        } catch {
            return error.code == .fromNewerVersion ? .future(error.what) : .damaged(error.what)
        }
    }
}

extension FolderNote.Subject {
    /// The bytes of the kind's own header.
    var encoded: [UInt8] {
        var out = ByteWriter()
        switch self {
        case .retired(let lane, let end):
            out.u8(1)
            out.append(lane.bytes)
            out.u64(end.sequence)
            out.append(end.digest)
        case .adopted(let store):
            out.u8(2)
            out.append(store.bytes)
        case .carried(let lane, let from, let to, let number):
            out.u8(3)
            out.append(lane.bytes)
            out.u64(from.sequence)
            out.append(from.digest)
            out.u64(to.sequence)
            out.append(to.digest)
            out.u64(number)
        }
        return out.bytes
    }

    init(decoding bytes: ArraySlice<UInt8>, allowingMore: Bool = false) throws(StoreError) {
        var reader = ByteReader(bytes, of: "note")
        let number = try reader.u8()
        switch number {
        case 1: self = .retired(try LaneID(from: &reader), end: try LaneChain(from: &reader))
        case 2:
            guard let store = StoreIdentity(bytes: try reader.bytes(RandomName.byteCount)) else {
                throw reader.failure("names no store")
            }
            self = .adopted(store)
        case 3:
            self = .carried(
                try LaneID(from: &reader), from: try LaneChain(from: &reader), to: try LaneChain(from: &reader),
                upTo: try reader.u64())
        default:
            throw StoreError(
                .fromNewerVersion, "it is a note about something of the kind \(number)", remedy: "update this software")
        }
        if !allowingMore { try reader.expectEnd() }
    }

    /// What no writer says.
    fileprivate func contradiction(in file: FolderFile) -> String? {
        switch self {
        case .adopted(let store): store == file.header.store ? "it says that a store took its own place" : nil
        case .retired(_, let end):
            end.sequence <= FolderFileName.greatestEntry ? nil : "it names an entry that cannot be"
        case .carried(let lane, let from, let to, let number):
            lane != file.header.lane && from.sequence < to.sequence && to.sequence <= FolderFileName.greatestEntry
                && number <= FolderFileName.greatestEntry ? nil : "it names entries that cannot be"
        }
    }
}

extension LaneID {
    fileprivate init(from reader: inout ByteReader) throws(StoreError) {
        guard let lane = LaneID(bytes: try reader.bytes(RandomName.byteCount)) else {
            throw reader.failure("names no lane")
        }
        self = lane
    }
}

extension LaneChain {
    fileprivate init(from reader: inout ByteReader) throws(StoreError) {
        self.init(sequence: try reader.u64(), digest: try reader.digest())
    }
}
