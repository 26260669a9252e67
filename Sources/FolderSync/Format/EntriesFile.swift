package import LLVSCore

/// A file of a lane's entries: versions with their changes, and where the bodies of these are.
///
/// A decoded file is verified as far as it can be alone: its container, the ids and change lists of its versions, and the
/// hash chain over them. That bodies have the hashes their changes name is checked when the store admits them.
package struct EntriesFile: Sendable {
    /// The store it belongs to.
    package let store: StoreIdentity
    /// The lane it was written to.
    package let lane: LaneID
    /// The file's trailer.
    package let digest: Digest
    /// Which entries they are, and what their writer had seen.
    package let header: Header
    /// The entries, in the order of the lane.
    package let entries: [Entry]

    /// The header of the kind: a range of the lane, and what the writer had seen of other lanes.
    package struct Header: Hashable, Sendable {
        /// The lane before the first entry.
        package let before: LaneChain
        /// The lane after the last entry.
        package let after: LaneChain
        /// How far the writer had every other lane when it wrote the file.
        package let seen: [LaneID: LaneChain]

        /// The numbers of the entries.
        package var range: ClosedRange<UInt64> { before.sequence + 1...after.sequence }

        /// The name of the file of these entries whose trailer is `digest`.
        package func fileName(digest: Digest) -> FolderFileName {
            .entries(from: range.lowerBound, to: range.upperBound, hash: NameHash(digest))
        }
    }

    /// The name the file was written under.
    package var fileName: FolderFileName { header.fileName(digest: digest) }

    /// Every chain of the stretch, from the one before its first entry to the one after its last.
    var chains: Set<LaneChain> {
        var chain = header.before
        var all: Set = [chain]
        for entry in entries {
            chain = chain.appending(entry.record)
            all.insert(chain)
        }
        return all
    }

    /// A version on a lane.
    package struct Entry: Sendable {
        /// The version and its changes.
        package let record: VersionRecord
        /// The body of each insertion and update, in the order of the change list.
        package let bodies: [Body]
    }

    /// Where the bytes of a value are.
    package enum Body: Hashable, Sendable {
        /// Here: at most ``BodyPacking/greatestInlineLength`` bytes. They are a slice of the file, which lives as long.
        case inline(ArraySlice<UInt8>)
        /// In pieces, end to end.
        case pieces(length: UInt64, extents: [Extent])

        /// How many bytes the value has.
        package var length: UInt64 {
            switch self {
            case .inline(let bytes): UInt64(bytes.count)
            case .pieces(let length, _): length
            }
        }
    }

    /// A run of bytes in a piece.
    package struct Extent: Hashable, Sendable {
        /// The SHA-256 of the piece's plain bytes.
        package let piece: Digest
        /// Where the run begins.
        package let offset: UInt64
        /// How many bytes it has.
        package let length: UInt64

        package init(piece: Digest, offset: UInt64, length: UInt64) {
            self.piece = piece
            self.offset = offset
            self.length = length
        }
    }
}

extension ChangeList {
    /// The changes that bring a body with them: insertions and updates.
    package var storing: [Entry] { entries.filter { $0.operation == .insert || $0.operation == .update } }
}
