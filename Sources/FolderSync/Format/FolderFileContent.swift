/// What a file of a lane holds, whatever it is called.
package enum FolderFileContent: Sendable {
    /// Entries of a lane.
    case entries(EntriesFile)
    /// A piece of values.
    case piece(Piece)

    /// Reads the bytes of a whole file by what they say they are: conflict copies and renamed files count like others.
    package static func decode(_ bytes: [UInt8]) -> FolderFileOutcome<FolderFileContent> {
        FolderFile.decode(bytes).reading { file in
            file.header.kind == .piece
                ? Piece.decode(file).reading { .verified(.piece($0)) }
                : EntriesFile.decode(file).reading { .verified(.entries($0)) }
        }
    }
}
