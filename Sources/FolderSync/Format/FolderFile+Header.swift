import LLVSCore

extension FolderFile {
    /// The fixed part of a container's header, as it stands in the file.
    package struct Header: Hashable, Sendable {
        package var containerVersion: UInt16 = 1
        package var kind: Kind
        /// How the body is stored: ``stored`` or ``deflated``.
        package var coding: UInt8
        /// What a reader must know to read the file: a bit each. Format 1 knows ``sealed``.
        package var requiredFeatures: UInt64 = 0
        /// What a reader may know: a bit each. With any of them, known structures may have bytes more at their end.
        package var optionalFeatures: UInt64 = 0
        /// From the first byte of the header through the last of the trailer.
        package var totalLength: UInt64
        package var store: StoreIdentity
        package var lane: LaneID
        package var plainLength: UInt64
        package var storedLength: UInt64
        package var ownHeaderLength: UInt32

        /// The size of the fixed part: what ``FolderFile/peek(_:fileLength:)`` wants to see of a file.
        package static let byteCount = 88
        /// The coding of a body that is stored plain.
        static let stored: UInt8 = 0
        /// The coding of a body in raw deflate (RFC 1951).
        static let deflated: UInt8 = 1
        /// The required feature of a file that a transform made of a plain one.
        package static let sealed: UInt64 = 1
        /// Whether the body is a sealed file.
        package var isSealed: Bool { requiredFeatures & Self.sealed != 0 }
        /// The longest plain body of entries: 256 MiB. A reader has it in memory, and a small file can claim it.
        package static let greatestEntriesLength: UInt64 = 256 << 20
        /// The longest piece: 8 MiB.
        package static let greatestPieceLength: UInt64 = 8 << 20
        /// No file of entries is longer: a reader takes no more into memory.
        package static let greatestFileLength = Int(greatestEntriesLength) + (64 << 20)
        /// The longest file of entries that is sealed: 300 MiB. What becomes of it is not longer than a file may be.
        static let greatestSealableEntriesLength: UInt64 = 300 << 20
        /// The longest plain file of a piece of values or of a snapshot.
        static let greatestSealablePieceLength = greatestPieceLength + 4_096
        /// No file of a piece of values or of a snapshot is longer, sealed or not.
        package static let greatestPieceFileLength = Int(greatestPieceLength) + (256 << 10)

        /// Why the file is from a newer version, if it is.
        package var future: String? {
            if containerVersion != 1 { return "its container has version \(containerVersion)" }
            if requiredFeatures & ~Self.sealed != 0 {
                return "it requires the features 0x\(String(requiredFeatures, radix: 16))"
            }
            if ![.entries, .piece, .snapshot, .note].contains(kind) { return "it is of the kind \(kind.rawValue)" }
            if coding > Self.deflated { return "its body has the coding \(coding)" }
            return nil
        }
    }

    /// What the beginning of a file shows.
    package enum Peek: Hashable, Sendable {
        /// All bytes are there and the header is in order. Nothing is verified yet.
        case header(Header)
        /// See ``FolderFileOutcome/arriving(have:of:)``.
        case arriving(have: UInt64, of: UInt64?)
        /// See ``FolderFileOutcome/damaged(_:)``.
        case damaged(String)
        /// See ``FolderFileOutcome/foreign``.
        case foreign
    }

    /// Judges a file of `fileLength` bytes by its first bytes, of which there should be ``Header/byteCount``.
    ///
    /// What is not `.header` here is the same when the whole file is read.
    package static func peek(_ beginning: ArraySlice<UInt8>, fileLength: UInt64) -> Peek {
        let beginning = beginning.prefix(Header.byteCount)
        guard !beginning.isEmpty else { return .arriving(have: 0, of: nil) }
        guard beginning.starts(with: magic.prefix(beginning.count)) else {
            return beginning.allSatisfy { $0 == 0 } ? .damaged("it begins with nothing but zero bytes") : .foreign
        }
        guard beginning.count == Header.byteCount else {
            return .arriving(have: min(fileLength, UInt64(beginning.count)), of: nil)
        }
        do {
            let header = try Header(decoding: beginning)
            if let reason = header.contradiction { return .damaged(reason) }
            if fileLength < header.totalLength { return .arriving(have: fileLength, of: header.totalLength) }
            if fileLength > header.totalLength { return .damaged("it is longer than its header says") }
            return .header(header)
        } catch {
            return .damaged(error.what)
        }
    }
}

extension FolderFile.Header {
    init(decoding bytes: ArraySlice<UInt8>) throws(StoreError) {
        var reader = ByteReader(bytes, of: "header")
        try reader.expect(FolderFile.magic)
        containerVersion = try reader.u16()
        kind = FolderFile.Kind(rawValue: try reader.u8())
        coding = try reader.u8()
        requiredFeatures = try reader.u64()
        optionalFeatures = try reader.u64()
        totalLength = try reader.u64()
        guard let store = StoreIdentity(bytes: try reader.bytes(RandomName.byteCount)),
            let lane = LaneID(bytes: try reader.bytes(RandomName.byteCount))
        else { throw reader.failure("has no store and lane") }
        self.store = store
        self.lane = lane
        plainLength = try reader.u64()
        storedLength = try reader.u64()
        ownHeaderLength = try reader.u32()
    }

    /// Writes the 88 bytes.
    func encode(into writer: inout ByteWriter) {
        writer.append(FolderFile.magic)
        writer.u16(containerVersion)
        writer.u8(kind.rawValue)
        writer.u8(coding)
        writer.u64(requiredFeatures)
        writer.u64(optionalFeatures)
        writer.u64(totalLength)
        writer.append(store.bytes)
        writer.append(lane.bytes)
        writer.u64(plainLength)
        writer.u64(storedLength)
        writer.u32(ownHeaderLength)
    }

    /// In what the fields contradict each other or the limits, if they do.
    ///
    /// It shows before the rest of the file is there and before anything is allocated for it. Of a file from a newer
    /// version only the place of the total length is known.
    var contradiction: String? {
        let (parts, overflow) = storedLength.addingReportingOverflow(
            UInt64(Self.byteCount + FolderFile.trailerByteCount) + UInt64(ownHeaderLength))
        guard future == nil else {
            let least = UInt64(Self.byteCount + FolderFile.trailerByteCount)
            return totalLength < least ? "its header states \(totalLength) bytes in all" : nil
        }
        if overflow || parts != totalLength { return "the lengths in its header do not add up" }
        if isSealed { return contradictionOfSealed }
        if plainLength > (kind == .entries ? Self.greatestEntriesLength : Self.greatestPieceLength) {
            return "its body of \(plainLength) bytes is longer than allowed"
        }
        if kind == .piece, plainLength == 0 || ownHeaderLength > 0 { return "it is no piece of 1 byte or more" }
        if kind == .note, plainLength != 0 || ownHeaderLength > UInt32(FolderNote.greatestOwnHeaderLength) {
            return "it is no note of at most \(FolderNote.greatestOwnHeaderLength) bytes"
        }
        if kind == .snapshot, plainLength == 0 || ownHeaderLength < UInt32(SnapshotPiece.Place.byteCount) {
            return "it is no piece of a snapshot of 1 byte or more"
        }
        if coding == Self.stored { return plainLength == storedLength ? nil : "its body has two different lengths" }
        // Deflate makes nothing more than 1,032 times smaller; and a body that it does not shrink is stored as it is.
        let isDeflated = storedLength < plainLength && plainLength <= storedLength * 1_032 + 64
        return isDeflated ? nil : "its body cannot be \(plainLength) bytes when inflated"
    }

    /// As above, for a sealed file: its plain body is a whole file.
    private var contradictionOfSealed: String? {
        let isEntries = kind == .entries
        let limit = isEntries ? Self.greatestSealableEntriesLength : Self.greatestSealablePieceLength
        let least = UInt64(Self.byteCount + FolderFile.trailerByteCount)
        guard isEntries || kind == .piece || kind == .snapshot, coding == Self.stored else {
            return "no such file is sealed"
        }
        guard least...limit ~= plainLength, 1...FolderSeal.greatestSealedLength(of: plainLength) ~= storedLength else {
            return "it cannot hold a file of \(plainLength) bytes"
        }
        return SealLabel.leastByteCount...4_096 ~= Int(ownHeaderLength) ? nil : "it does not say what sealed it"
    }
}
