import FileCoordination
import LLVSCore

extension FolderVerification {
    /// Puts every value together from its pieces and compares it with the hash its version names.
    mutating func checkBodies(in folder: SharedFolder) {
        var loaded: (digest: Digest, piece: Piece)?
        var missing: Set<[String]> = []
        for body in contents.bodies {
            var hash = SHA256()
            var isWhole = true
            for extent in body.extents {
                if loaded?.digest != extent.piece {
                    loaded = read(extent.piece, in: folder).map { (extent.piece, $0) }
                }
                guard let bytes = loaded?.piece.bytes else {
                    isWhole = false
                    let name = FolderFileName.piece(NameHash(extent.piece)).text
                    if missing.insert([body.file, name]).inserted {
                        note(.gap, body.file, "a piece of a value is not here: \(name)")
                    }
                    continue
                }
                guard extent.length <= UInt64(bytes.count), extent.offset <= UInt64(bytes.count) - extent.length else {
                    isWhole = false
                    note(.damaged, body.file, "the value '\(body.value)' is said to be beyond the end of its piece")
                    continue
                }
                hash.update(bytes[(bytes.startIndex + Int(extent.offset))...].prefix(Int(extent.length)))
            }
            if isWhole, hash.digest() != body.hash {
                isWhole = false
                note(.damaged, body.file, "the value '\(body.value)' has other bytes than its version names")
            }
            if !isWhole { contents.incomplete.insert(body.version) }
        }
    }

    /// A piece that was found good a moment ago; one that cannot be read now is not here.
    private func read(_ digest: Digest, in folder: SharedFolder) -> Piece? {
        guard let path = contents.pieces[digest] else { return nil }
        do {
            guard let bytes = try folder.read(path, limit: FolderFile.Header.greatestPieceFileLength) else {
                return nil
            }
            return folder.decode(bytes).reading(Piece.decode).verified.flatMap { $0.digest == digest ? $0 : nil }
        } catch {
            return nil
        }
    }
}
