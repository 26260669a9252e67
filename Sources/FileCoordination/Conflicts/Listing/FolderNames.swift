/// Names in one folder, looked up by what services make of them.
///
/// A class for its indexes, which are made when the first name is looked for in them. It does not leave the thread.
final class FolderNames {
    let names: NameArena
    private let hash: NameHash
    private lazy var exact = ExactNames(names, by: hash)
    // Only letters beyond ASCII are spelled in more than one way.
    private lazy var canonical = spellings { $0.utf8.allSatisfy { $0 < 0x80 } ? nil : $0 }
    private lazy var foreign = hashesOfForeign()
    private lazy var folded = spellings { $0.lowercased() }
    private lazy var trimmed = spellings(Self.trimming)
    private lazy var sorted = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }

    init(_ names: NameArena, by hash: NameHash) {
        self.names = names
        self.hash = hash
    }

    /// Where a name is that the service may have meant: the same bytes, the same letters in another normalization, and
    /// for clashes of case or spaces the same but for those.
    func find(_ name: String, _ kind: ConflictKind) -> Int? {
        var name = name
        if let place = name.withUTF8({ find(UnsafeRawBufferPointer($0)) }) { return place }
        if !name.utf8.allSatisfy({ $0 < 0x80 }), let place = canonical[name] { return place }
        switch kind {
        case .caseClash: return folded[name.lowercased()]
        case .whitespaceClash: return trimmed[Self.trimming(name)]
        default: return nil
        }
    }

    /// Where exactly these bytes are.
    func find(_ name: UnsafeRawBufferPointer) -> Int? { exact.find(name, in: names) }

    /// Whether a name may be there whose spellings have this hash; if not, ``find(_:_:)`` finds none.
    func hasSpelling(_ hash: UInt64) -> Bool { foreign.contains(hash) }

    /// The only name that goes on after the base of `cut` and has its extension; nil if there is none or more than one.
    func findWhole(_ cut: String) -> Int? {
        let wanted = Array(cut.utf8)
        let dot = wanted.lastIndex(of: UInt8(ascii: ".")) ?? wanted.count
        let (base, ending) = (wanted[..<dot], wanted[dot...])
        guard !base.isEmpty else { return nil }
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if names[sorted[middle]].lexicographicallyPrecedes(base) { low = middle + 1 } else { high = middle }
        }
        var found: Int?
        while low < sorted.count, names[sorted[low]].starts(with: base) {
            let place = sorted[low]
            low += 1
            guard names[place].count > wanted.count, names[place].suffix(ending.count).elementsEqual(ending),
                !names.withName(place, { ConflictTable.shared.mayBeConflict($0, deviceNames: []) })
            else { continue }
            if found != nil { return nil }
            found = place
        }
        return found
    }

    private func hashesOfForeign() -> Set<UInt64> {
        var hashes: Set<UInt64> = []
        names.visit { _, name in
            if let hash = hash.ofSpellings(name) { hashes.insert(hash) }
        }
        return hashes
    }

    /// Strings are equal if their letters are, composed or not.
    private func spellings(_ key: (String) -> String?) -> [String: Int] {
        var result: [String: Int] = [:]
        for place in names.indices {
            guard let key = names.name(place).flatMap(key), result[key] == nil else { continue }
            result[key] = place
        }
        return result
    }

    /// Without spaces at its ends and before its extension.
    private static func trimming(_ name: String) -> String {
        let whole = name.drop { $0 == " " }
        guard let dot = whole.lastIndex(of: "."), dot > whole.startIndex else { return String(whole.trimmedAtEnd) }
        return String(whole[..<dot].trimmedAtEnd) + String(whole[dot...].trimmedAtEnd)
    }
}

extension Substring {
    fileprivate var trimmedAtEnd: Substring {
        var rest = self
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}
