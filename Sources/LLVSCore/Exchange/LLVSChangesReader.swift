import FileCoordination
import Foundation

/// Finds and reads the changes of versions in a folder in LLVS's format: the file of the version's name, or where that is
/// missing or torn, a conflict copy, which is recognised by the versions its values name, or by its own name.
struct LLVSChangesReader {
    let store: Store
    let folder: LLVSFolder
    let listing: LLVSFolder.Listing
    /// The ids of versions that are looked for.
    let versions: Set<LLVSFolder.Name>
    private var copies: [Version.ID: [LLVSChange]]?

    init(store: Store, folder: LLVSFolder, listing: LLVSFolder.Listing, versions: Set<LLVSFolder.Name>) {
        self.store = store
        self.folder = folder
        self.listing = listing
        self.versions = versions
    }

    /// The changes of a version, or nil if they are not here, which is then in the report.
    mutating func changes(
        of id: Version.ID, file: String, _ report: inout LLVSReport
    ) throws -> [LLVSChange]? {
        let name = LLVSFolder.Name(id)
        if listing.changes[name] != nil {
            do {
                if let entries = try read(name) { return entries.map(\.change) }
            } catch let problem as Problem {
                let item = LLVSReport.Item(file: "\(LLVSFolder.changes)/\(name.text)", reason: problem.reason)
                report.damaged.append(item)
            }
        }
        if let copy = try copy(of: id) { return copy }
        report.waiting.append(LLVSReport.Item(file: file, reason: "its changes are not here, or not whole"))
        return nil
    }

    private struct Problem: Error {
        let reason: String
    }

    private func read(_ name: LLVSFolder.Name) throws -> [LLVSChangeEntry]? {
        let file = "\(LLVSFolder.changes)/\(name.text)"
        let bytes: [UInt8]
        do {
            guard let read = try folder.read(file, limit: LLVSFolder.greatestChangesFile) else { return nil }
            bytes = read
        } catch {
            throw Problem(reason: "it cannot be read: \(error)")
        }
        do { return try JSONDecoder().decode([LLVSChangeEntry].self, from: Data(bytes)) } catch {
            throw Problem(reason: "it is cut off, or not a list of changes as LLVS writes it")
        }
    }

    private mutating func copy(of id: Version.ID) throws -> [LLVSChange]? {
        let known = try copies ?? findCopies()
        copies = known
        return known[id]
    }

    private func findCopies() throws -> [Version.ID: [LLVSChange]] {
        var copies: [Version.ID: [LLVSChange]] = [:]
        for name in try strangers() {
            do {
                guard let entries = try read(name), let id = try owner(of: entries, named: name.text) else { continue }
                if copies[id] == nil { copies[id] = entries.map(\.change) }
            } catch {
                // Not a whole list of changes: it stands in for nothing.
            }
        }
        return copies
    }

    /// Files of changes whose names are no version's.
    private func strangers() throws -> [LLVSFolder.Name] {
        try store.inspect { view in
            try listing.changes.keys.filter { name in
                if versions.contains(name) { return false }
                guard (1...255).contains(name.utf8.count) else { return true }
                return try view.state(of: Version.ID(utf8: name.utf8)) == nil
            }
        }.sorted { $0.utf8.precedes($1.utf8) }
    }

    /// The version whose changes a copy holds. Its name may say so, or the values in it: LLVS notes with each the version that
    /// stored it, which as a rule is the one that the file belongs to.
    private func owner(of entries: [LLVSChangeEntry], named name: String) throws -> Version.ID? {
        let stated = Set(entries.compactMap(\.version))
        let originals = ConflictName.readings(of: name).map(\.original)
        if let original = originals.first(where: { versions.contains(LLVSFolder.Name($0)) }) {
            let id = try Version.ID(original)
            return stated.isEmpty || stated.contains(id) || !stated.contains(where: isWanted) ? id : nil
        }
        return stated.count == 1 ? stated.first(where: isWanted) : nil
    }

    private func isWanted(_ id: Version.ID) -> Bool { versions.contains(LLVSFolder.Name(id)) }
}
