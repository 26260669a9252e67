/// Recognises by their names what editors, sync services and systems keep beside the real files: temporary files of writes
/// in progress, locks, databases of their own, and placeholders of files that are not here.
///
/// The names are those that the programs' own sources and documentation state: rows in the tables and shapes beside this
/// file. A name is judged alone, so an ordinary file that somebody called `x.part` counts as temporary. What is as likely to
/// be somebody's own choice is not in the tables: `~notes.md`, `package.lock`, `song.part1.rar`, `DEADBEEF`.
public enum TemporaryNames {
    /// What a name stands for, and whose it is.
    public enum Kind: Hashable, Sendable {
        /// A file that is being written, downloaded, backed up or held open: it goes, or becomes another one.
        case temporary(service: String)
        /// What a program or system keeps for itself, file or folder: markers, settings, databases, caches, trash.
        case control(service: String)
        /// Stands for a file of the name `of` that exists, but whose content is not here.
        case placeholder(of: String, service: String)
    }

    /// What the name, without a folder, stands for; nil for an ordinary one. Linear in the name's length.
    public static func classify(_ name: String) -> Kind? {
        isSurelyOrdinary(name) ? nil : classifyInFull(name)
    }

    static func classifyInFull(_ name: String) -> Kind? {
        guard let first = name.utf8.first else { return nil }
        if first == UInt8(ascii: "~"), TemporaryName(name) != nil { return .temporary(service: "FolderSync") }
        if let service = controlNames[name] { return .control(service: service) }
        let mayStart = firstBytes.contains(first)
        if mayStart, let kind = start(of: name) ?? shape(ofHidden: name) { return kind }
        if let kind = kind(byExtensionOf: name, isHidden: first == UInt8(ascii: ".")) { return kind }
        return shape(ofEnd: name)
    }

    /// Whether the file is not there to be read by others: temporary or control. A placeholder is neither.
    public static func isTemporary(_ name: String) -> Bool {
        switch classify(name) {
        case .temporary, .control: true
        case .placeholder, nil: false
        }
    }

    private static let firstBytes = Set("~.#s".utf8)

    private static func start(of name: String) -> Kind? {
        if let row = temporaryPrefixes.first(where: { name.hasPrefix($0.prefix) }) {
            return .temporary(service: row.service)
        }
        let row = controlPrefixes.first { name.hasPrefix($0.prefix) }
        return row.map { .control(service: $0.service) }
    }

    private static func kind(byExtensionOf name: String, isHidden: Bool) -> Kind? {
        let bytes = name.utf8
        // A name that is nothing but an extension is somebody's folder of settings.
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot != bytes.startIndex else { return nil }
        let rest = bytes[bytes.index(after: dot)...]
        guard (1...longestExtension).contains(rest.count) else { return nil }
        let lowercase = String(decoding: rest.map { (65...90).contains($0) ? $0 | 32 : $0 }, as: UTF8.self)
        if let service = temporaryExtensions[lowercase] { return .temporary(service: service) }
        if let service = placeholderExtensions[lowercase] {
            return .placeholder(of: String(name[..<dot]), service: service)
        }
        // iCloud Drive: `.Report.pdf.icloud` for `Report.pdf`.
        if isHidden, lowercase == "icloud" {
            return .placeholder(of: String(name[..<dot].dropFirst()), service: "iCloud Drive")
        }
        return nil
    }
}
