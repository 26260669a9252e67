import FileCoordination

/// One zone of a store of LLVS's: data under a key and the version that wrote it. Only read.
protocol LLVSZone {
    /// The data, or nil if there is none.
    func data(of key: String, at version: Version.ID) throws -> [UInt8]?
}

/// A zone as LLVS's FileStorage keeps it: `<2 characters>/<rest of the key>/<1 character>/<rest of the version>.json`, with
/// `/` and `:` of the key written as words.
struct LLVSFileZone: LLVSZone {
    let path: String
    let files: any FileSystem

    func data(of key: String, at version: Version.ID) throws -> [UInt8]? {
        let escaped = key.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "LLVSSLASH")
            .split(separator: ":", omittingEmptySubsequences: false).joined(separator: "LLVSCOLON")
        let parts = Self.split(escaped, after: 2) + Self.split(version.description + ".json", after: 1)
        guard parts.allSatisfy(Self.isName) else {
            throw StoreError(
                .valueUnreadable, "the name '\(key)' leads out of its folder", remedy: "leave it out", path: path)
        }
        do {
            return try files.readFile(
                at: ([path] + parts).joined(separator: "/"), limit: LLVSFolder.greatestChangesFile, followLinks: false)
        } catch {
            if [.noSuchFile, .noParent].contains(error.code) { return nil }
            throw StoreError(
                .valueUnreadable, "a file of the store to import cannot be read", remedy: error.remedy,
                path: error.path, cause: error.errno.map { "\($0)" })
        }
    }

    private static func split(_ name: String, after count: Int) -> [String] {
        [String(name.prefix(count)), String(name.dropFirst(count))].filter { !$0.isEmpty }
    }

    private static func isName(_ part: String) -> Bool {
        ![".", ".."].contains(part) && !part.utf8.contains(UInt8(ascii: "/")) && !part.utf8.contains(0)
    }
}

extension LLVSZone {
    /// The data as it was stored. Newer versions of LLVS compress it.
    func plainData(of key: String, at version: Version.ID) throws -> [UInt8]? {
        guard let data = try data(of: key, at: version) else { return nil }
        guard !data.starts(with: "LLZF".utf8) else {
            throw StoreError(
                .valueUnreadable, "'\(key)' of the version \(version) is compressed with LZFSE, which is not read here",
                remedy: "let the device with LLVS send its versions to a folder, and use that")
        }
        return data
    }
}
