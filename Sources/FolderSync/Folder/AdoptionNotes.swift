import FileCoordination
import LLVSCore

/// Which of several cards in a folder count, by the notes in its lanes. Read only where there are several.
enum AdoptionNotes {
    /// That one store took another's place.
    struct Adoption: Hashable {
        let old: StoreIdentity
        let new: StoreIdentity
    }

    /// What the verified notes in the folder say. A lane that cannot be read says nothing, and what is no note neither.
    static func all(in folder: SharedFolder) throws -> [Adoption] {
        var found: [Adoption] = []
        for file in try folder.list().files {
            guard isCandidate(file.name), let bytes = try bytes(of: file, in: folder),
                let note = FolderNote.decode(bytes).verified, case .adopted(let old) = note.subject
            else { continue }
            found.append(Adoption(old: old, new: note.store))
        }
        return found
    }

    private static func isCandidate(_ name: FolderFileName) -> Bool {
        switch name {
        case .note: true
        // As a sync service may rename it.
        case .stranger(let text, _): text.contains("r-")
        default: false
        }
    }

    private static func bytes(of file: SharedFolder.Listed, in folder: SharedFolder) throws -> [UInt8]? {
        do {
            return try folder.read(file.path, limit: FolderNote.greatestFileLength)
        } catch is FileCoordinationError {
            return nil
        }
    }

    /// The stores whose cards count. Where stores adopted each other in a circle and none is left, the least stands: whoever
    /// looks decides alike.
    static func standing(_ cards: Set<StoreIdentity>, _ adoptions: [Adoption]) -> Set<StoreIdentity> {
        let void = adoptions.filter { cards.contains($0.new) && $0.old != $0.new }.map(\.old)
        let standing = cards.subtracting(void)
        return standing.isEmpty ? Set([cards.min()].compactMap(\.self)) : standing
    }
}
