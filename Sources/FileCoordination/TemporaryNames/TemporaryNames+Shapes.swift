/// Names that need a pattern: parts that are random, numbered or dated are checked, so that ordinary names do not fall in.
extension TemporaryNames {
    private typealias Bytes = Substring.UTF8View

    /// Names that begin with a dot, a tilde or the like.
    static func shape(ofHidden name: String) -> Kind? {
        if name.hasPrefix("#"), name.hasSuffix("#"), name.utf8.count > 2 { return .temporary(service: "Emacs") }
        // Syncthing's marker in `.stfolder`.
        if name.hasPrefix("syncthing-folder-"), name.hasSuffix(".txt"), name.utf8.count == 27 {
            return .control(service: "Syncthing")
        }
        guard name.hasPrefix(".") else { return nil }
        if name.hasPrefix(".sync_") || name.hasPrefix("._sync_"), name.contains(".db") {
            return .control(service: "Nextcloud")
        }
        // `.~notes.md-Temp-k3x9qa.tmp`; other names with this start are WPS Office's.
        if name.hasPrefix(".~") {
            let isProton = name.hasSuffix(".tmp") && name.contains("-Temp-")
            return .temporary(service: isProton ? "Proton Drive" : "WPS Office")
        }
        if name.hasPrefix(".nfs"), name.utf8.count >= 16, name.utf8.dropFirst(4).allSatisfy(isHex) {
            return .temporary(service: "NFS")
        }
        return shape(ofHiddenEnd: name)
    }

    private static func shape(ofHiddenEnd name: String) -> Kind? {
        // `.note.md.~1a2b3c4d`, a download.
        if let end = after(".~", in: name) {
            return end.count >= 4 && end.allSatisfy(isHex) ? .temporary(service: "ownCloud") : nil
        }
        // `.bak.1.report.txt`, a backup.
        if name.hasPrefix(".bak.") {
            let rest = name.dropFirst(5)
            let number = rest.prefix { $0 != "." }
            return !number.isEmpty && number.utf8.allSatisfy(isDigit) && number.endIndex != rest.endIndex
                ? .temporary(service: "Unison") : nil
        }
        guard let end = after(".", in: name), name.utf8.count > end.count + 2 else { return nil }
        // `.report.md.swn`: further swap files count down from `swp`.
        if end.count == 3, end.starts(with: "sw".utf8), let last = end.last, (103...112).contains(last) {
            return .temporary(service: "Vim")
        }
        return isRandom(end) ? .temporary(service: "rsync") : nil
    }

    /// rsync(1) puts six random letters and digits behind a hidden name. Only mixtures that hardly are a word or an extension
    /// count: `Xy12Ab`, not `backup`, `sha256` or `Config`.
    private static func isRandom(_ end: Bytes) -> Bool {
        guard end.count == 6, end.allSatisfy({ isDigit($0) || isUpper($0) || isLower($0) }) else { return false }
        guard end.contains(where: isUpper) else { return false }
        return end.contains(where: isDigit) || zip(end, end.dropFirst()).contains { isLower($0) && isUpper($1) }
    }

    /// Names that say it at their end.
    static func shape(ofEnd name: String) -> Kind? {
        guard let last = name.utf8.last else { return nil }
        if last == UInt8(ascii: "~") { return name.utf8.count > 1 ? .temporary(service: "an editor") : nil }
        if last == UInt8(ascii: "_"), name.hasSuffix("___jb_tmp___") || name.hasSuffix("___jb_old___") {
            return .temporary(service: "JetBrains")
        }
        // Apple's safe save: `note.md.sb-1a2b3c4d-QwErTy`.
        if let parts = after(".sb-", in: name)?.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
            let isOne = parts.count == 2 && parts[0].count == 8 && parts[1].count == 6 && parts[0].allSatisfy(isHex)
            return isOne ? .temporary(service: "macOS") : nil
        }
        if last == UInt8(ascii: "d"), name.hasSuffix(".download"), name.dropFirst().dropLast(9).contains(".") {
            return .temporary(service: "Safari")
        }
        return atomicWrite(name) ?? protonMove(name)
    }

    /// What atomic writes of several libraries leave beside the target: `x.tmp.4242`, `x.tmp.4242.1a2b`, `x.tmp-17000000001a`.
    private static func atomicWrite(_ name: String) -> Kind? {
        if let end = after(".tmp-", in: name), end.count >= 10, end.allSatisfy({ isDigit($0) || isLower($0) }) {
            return .temporary(service: "an atomic write")
        }
        guard let mark = name.lastRange(of: ".tmp."), mark.lowerBound != name.startIndex else { return nil }
        let parts = name[mark.upperBound...].utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, let process = parts.first, !process.isEmpty, process.allSatisfy(isDigit) else {
            return nil
        }
        let isOne = parts.dropFirst().allSatisfy { !$0.isEmpty && $0.allSatisfy { isDigit($0) || isLower($0) } }
        return isOne ? .temporary(service: "an atomic write") : nil
    }

    /// Proton Drive renames what it moves or deletes for a moment: `Plan (# Temporary renamed 2026-10-05 k3x9qaR #).md`,
    /// `Plan.md (# Deleted 2026-10-05 k3x9qaD #)`.
    private static func protonMove(_ name: String) -> Kind? {
        guard let end = name.lastRange(of: " #)"), let start = name.lastRange(of: " (# "),
            start.upperBound < end.lowerBound
        else { return nil }
        let words = name[start.upperBound..<end.lowerBound].split(separator: " ", omittingEmptySubsequences: false)
        let (isRenamed, isDeleted) = (words.starts(with: ["Temporary", "renamed"]), words.first == "Deleted")
        guard isRenamed && words.count == 4 || isDeleted && words.count == 3 else { return nil }
        let (date, random) = (words[words.count - 2].utf8, words[words.count - 1].utf8)
        let isDate = date.count == 10 && date.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "-") }
        let isOne = isDate && random.count == 7 && random.last == UInt8(ascii: isRenamed ? "R" : "D")
        return isOne ? .temporary(service: "Proton Drive") : nil
    }

    private static func after(_ mark: String, in name: String) -> Bytes? {
        name.lastRange(of: mark).map { name[$0.upperBound...].utf8 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    private static func isUpper(_ byte: UInt8) -> Bool { (65...90).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
    private static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (97...102).contains(byte | 32) }
}

extension String {
    /// The last place of an ASCII mark, without Foundation's locale machinery.
    fileprivate func lastRange(of mark: String) -> Range<Index>? {
        let (text, wanted) = (utf8, mark.utf8)
        guard let first = wanted.first, text.count >= wanted.count else { return nil }
        var start = text.index(text.endIndex, offsetBy: -wanted.count)
        while true {
            if text[start] == first, text[start...].starts(with: wanted) {
                return start..<text.index(start, offsetBy: wanted.count)
            }
            if start == text.startIndex { return nil }
            start = text.index(before: start)
        }
    }
}
