import Foundation

extension PlaceSearch {
    /// The bytes of settings; nil if there are none. What else prevents reading is reported.
    mutating func bytes(at path: String, limit: Int = largestSettings) -> [UInt8]? {
        do { return try files.readFile(at: path, limit: limit) } catch {
            if error.code != .noSuchFile, error.code != .notDirectory { report(error) }
            return nil
        }
    }

    /// The text of settings, in UTF-8 and without a byte order mark; nil if there are none.
    mutating func text(at path: String) -> String? {
        guard let bytes = bytes(at: path) else { return nil }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard let text = String(validating: bytes.starts(with: mark) ? bytes[3...] : bytes[...], as: UTF8.self) else {
            report(.malformed(path, because: "it is not UTF-8"))
            return nil
        }
        return text
    }

    /// The value of a JSON file, in which comments and commas too many are forgiven; nil if there is none.
    mutating func json(at path: String) -> Any? {
        guard let text = text(at: path) else { return nil }
        do {
            return try JSONSerialization.jsonObject(
                with: Data(RelaxedJSON.strict(text)), options: [.fragmentsAllowed])
        } catch {
            report(.malformed(path, because: "it is not JSON"))
            return nil
        }
    }

    /// Whether anything is there that can be looked at.
    func exists(_ path: String) -> Bool {
        do {
            _ = try files.attributes(at: path, followLinks: true)
            return true
        } catch { return false }
    }

    /// The names in a folder of settings, sorted; none if it is not there. What else prevents listing is reported.
    mutating func names(in path: String) -> [String] {
        var names: [String] = []
        do {
            let folder = try files.open(path, [.read, .directory])
            try files.closing(folder) { () throws(Errno) in
                try files.visitEntries(of: folder) { name, _ in
                    if let name = String(validating: name, as: UTF8.self) { names.append(name) }
                    return names.count < Self.mostEntries
                }
            }
        } catch {
            if error != .noSuchFile, error != .notDirectory { report(.listing(path, error)) }
        }
        return names.sorted()
    }

    /// The mount table; empty where there is none.
    mutating func mounts() -> [MountTable.Mount] {
        guard let bytes = bytes(at: system.mountTable, limit: 16 << 20) else { return [] }
        return MountTable.parse(bytes)
    }
}
