/// The name of a file in a shared folder: the only place that prints such names and that reads them.
///
/// A name finds a file. Whether the file counts, and for what, is decided by its bytes alone, so a name that is not ours
/// is a ``stranger(_:_:)`` and no error. Every text is some name, and `FolderFileName(text).text == text`.
package enum FolderFileName: Hashable, Sendable {
    /// `<store>.store` in the root: the identity card.
    case card(StoreIdentity)
    /// `e-<from>-<to>-<hash>.llvs` in a lane: entries of the lane; the hash is of the file's trailer.
    case entries(from: UInt64, to: UInt64, hash: NameHash)
    /// `v-<hash>.llvs` in a lane: a piece of values; the hash is of the piece's plain bytes.
    case piece(NameHash)
    /// `p-<set>-<index>-<count>-<hash>.llvs` in a lane: a piece of a snapshot; the hash is of its plain bytes.
    case snapshot(set: String, index: Int, count: Int, hash: NameHash)
    /// `r-<hash>.llvs` in a lane: a note; the hash is of the file's trailer.
    case note(NameHash)
    /// `~syncthing~fs-<random>.tmp`: a file being written. Sync services know the pattern as Syncthing's and skip it.
    case temporary(String)
    /// A name that is none of ours, kept as it is.
    case stranger(String, Stranger)

    /// What is known of a name that is not ours.
    package indirect enum Stranger: Hashable, Sendable {
        /// Nothing: it may be a conflict copy or another renaming of a file of ours. Worth a look at its first bytes.
        case unknown
        /// What systems and sync services leave in folders. It is never opened.
        case junk
        /// iCloud's stand-in `.NAME.icloud` for a file of ours that is in the cloud and not on this disk.
        case stub(of: FolderFileName)
    }

    /// The greatest number in a name of entries. With it, no path below the root is longer than 100 characters.
    package static let greatestEntry: UInt64 = 9_999_999_999_999_999
    /// The greatest number of pieces in a set of a snapshot.
    static let greatestPieceCount = 9_999_999
    /// How many characters of base32 name a set of a snapshot.
    static let setCharacterCount = 16

    /// A temporary name nobody has.
    package static func makeTemporary() -> Self {
        var generator = SystemRandomNumberGenerator()
        return .temporary(RandomName(using: &generator).text)
    }

    /// The name as it is in the directory.
    package var text: String {
        switch self {
        case .card(let store): "\(store).store"
        case .entries(let from, let to, let hash): "e-\(from)-\(to)-\(hash.text).llvs"
        case .piece(let hash): "v-\(hash.text).llvs"
        case .snapshot(let set, let index, let count, let hash): "p-\(set)-\(index)-\(count)-\(hash.text).llvs"
        case .note(let hash): "r-\(hash.text).llvs"
        case .temporary(let random): "~syncthing~fs-\(random).tmp"
        case .stranger(let text, _): text
        }
    }
}

extension FolderFileName: CustomStringConvertible {
    /// The name as it is in the directory.
    package var description: String { text }
}
