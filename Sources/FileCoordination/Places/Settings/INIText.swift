/// The entries of a text of sections, keys and values, as far as programs that write such texts agree.
///
/// Lines that are no entry are passed over. A key that comes twice is there twice; most programs go by the last.
struct INIText: Sendable {
    struct Entry: Hashable, Sendable {
        /// The section, empty before the first.
        let section: String
        let key: String
        let value: String
    }

    let entries: [Entry]

    /// Reads the text. With `continues`, an indented line belongs to the value above it, as Python's `configparser` has it,
    /// and is passed over.
    init(_ text: String, continues: Bool = false) {
        var entries: [Entry] = []
        var section = ""
        for line in text.settingsLines {
            if continues, let first = line.utf8.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                continue
            }
            let line = line.trimmed
            guard let first = line.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
            if first == UInt8(ascii: "["), line.utf8.last == UInt8(ascii: "]") {
                section = String(line.dropFirst().dropLast())
            } else if let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) {
                let value = line[line.utf8.index(after: equals)...]
                entries.append(
                    Entry(section: section, key: String(line[..<equals].trimmed), value: String(value.trimmed)))
            }
        }
        self.entries = entries
    }

    /// The last value of the key in the section.
    func value(_ key: String, in section: String) -> String? {
        entries.last { $0.section == section && $0.key == key }?.value
    }

    /// Every value of the key, in any section.
    func values(_ key: String) -> [String] { entries.filter { $0.key == key }.map(\.value) }
}

extension String {
    /// Lines that end with LF or CR LF.
    var settingsLines: [Substring] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
    }
}

extension Substring {
    /// Without spaces and tabs at its ends.
    var trimmed: Substring {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let start = utf8.firstIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
        let end = utf8.lastIndex { !isBlank($0) } ?? start
        return self[start...end]
    }
}
