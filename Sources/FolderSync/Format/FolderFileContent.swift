/// What a file of a lane holds, whatever it is called.
package enum FolderFileContent: Sendable {
    /// Entries of a lane.
    case entries(EntriesFile)
    /// A piece of values.
    case piece(Piece)
    /// A note.
    case note(FolderNote)
    /// A piece of a snapshot.
    case snapshot(SnapshotPiece)

    /// Reads the bytes of a whole file by what they say they are: conflict copies and renamed files count like others.
    package static func decode(_ bytes: [UInt8]) -> FolderFileOutcome<FolderFileContent> {
        FolderFile.decode(bytes).reading(decode)
    }

    /// Reads a verified file.
    package static func decode(_ file: FolderFile) -> FolderFileOutcome<FolderFileContent> {
        switch file.header.kind {
        case .piece: Piece.decode(file).reading { .verified(.piece($0)) }
        case .note: FolderNote.decode(file).reading { .verified(.note($0)) }
        case .snapshot: SnapshotPiece.decode(file).reading { .verified(.snapshot($0)) }
        default: EntriesFile.decode(file).reading { .verified(.entries($0)) }
        }
    }
}
