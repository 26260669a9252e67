/// Which entries a watch leaves out: they are not told of, not descended into, and cost no watch.
package struct WatchFilter: Sendable {
    /// Whether folders below the root are walked.
    let isRecursive: Bool
    private let leavesTemporaryOut: Bool
    private let patterns: [WatchPattern]
    /// In lower case, each with its dot.
    private let endings: [String]?
    private let ignores: (@Sendable (String) -> Bool)?

    package init(_ options: WatchOptions) {
        isRecursive = options.recursive
        leavesTemporaryOut = options.filtersTemporaryNames
        patterns = options.ignoring.compactMap(WatchPattern.init)
        endings = options.extensions.map { extensions in
            extensions.map { ($0.hasPrefix(".") ? $0 : "." + $0).lowercased() }
        }
        ignores = options.ignores
    }

    /// Whether the entry is left out. The folder is relative to the root, and empty for the root. `kind` nil means that it is
    /// not known yet: true only for what is left out whatever it is.
    package func ignores(_ name: String, in folder: @autoclosure () -> String, kind: FileKind?) -> Bool {
        if isTemporary(name, kind) { return true }
        let isFolder = kind.map { $0 == .directory }
        if !patterns.isEmpty, patterns.contains(where: { $0.matches(name, in: folder(), isFolder: isFolder) }) {
            return true
        }
        if let ignores {
            let folder = folder()
            if ignores(folder.isEmpty ? name : "\(folder)/\(name)") { return true }
        }
        guard let endings, isFolder == false else { return false }
        return !Self.name(name, endsIn: endings)
    }

    private func isTemporary(_ name: String, _ kind: FileKind?) -> Bool {
        // This package's own files are nobody's, whatever the options say.
        guard leavesTemporaryOut else { return TemporaryName(name) != nil }
        switch TemporaryNames.classify(name) {
        case .control: return true
        // A folder that is called so has real files in it, for all that a name can tell.
        case .temporary: return kind.map { $0 != .directory } ?? false
        case .placeholder, nil: return false
        }
    }

    /// A placeholder counts by the name of its original; a name that is nothing but an extension has none.
    private static func name(_ name: String, endsIn endings: [String]) -> Bool {
        var name = name
        if case .placeholder(let original, _) = TemporaryNames.classify(name) { name = original }
        name = name.lowercased()
        return endings.contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
    }
}
