import LLVSCore

/// Ids of versions as people write and read them.
struct VersionNames {
    /// How much of an id is shown where that is enough.
    private static let shortLength = 12
    /// How much of an id must be given.
    private static let shortestPrefix = 4

    let store: Store

    /// The version that a VERSION argument names: `head`, a full id, a branch, or the first characters of an id.
    func resolve(_ text: String, current: Version.ID) throws -> Version.ID {
        if text == "head" { return current }
        let id = try Version.ID(text)
        if try store.contains(id) { return id }
        if let newest = try newestVersion(on: Branch(rawValue: text)) {
            if text.utf8.count >= Self.shortestPrefix, try !store.versionIDs(startingWith: text, limit: 1).isEmpty {
                throw CommandError(
                    "'\(text)' is a branch, and the beginning of a version's id",
                    remedy: "give a whole id; 'foldersync branch --json' has those of the branches")
            }
            return newest
        }
        guard text.utf8.count >= Self.shortestPrefix else {
            throw CommandError(
                "'\(text)' is too short for a version",
                remedy: "give at least \(Self.shortestPrefix) characters of its id")
        }
        let matches = try store.versionIDs(startingWith: text, limit: 2)
        guard let match = matches.first else {
            throw CommandError("there is no version '\(text)'", remedy: "list the versions with 'foldersync log'")
        }
        if matches.count > 1 {
            throw CommandError("'\(text)' is the beginning of several versions", remedy: "give more of the id")
        }
        return match
    }

    private func newestVersion(on branch: Branch) throws -> Version.ID? {
        do {
            return try store.heads(of: branch).last?.id
        } catch let error as StoreError where error.code == .readOnly {
            // An older store whose branches cannot be listed without writing: its ids still name versions.
            return nil
        }
    }

    /// The first characters of an id, as many as only this version has.
    func short(_ id: Version.ID) throws -> String {
        guard id.isNative else { return printable(id.description) }
        let text = id.description
        for length in stride(from: Self.shortLength, to: text.count, by: 4) {
            let prefix = String(text.prefix(length))
            if try store.versionIDs(startingWith: prefix, limit: 2).count < 2 { return prefix }
        }
        return text
    }
}
