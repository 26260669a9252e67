/// The names in one folder as they were read, kept as bytes: an ordinary name never becomes a string.
struct FolderNames {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]
    private var kinds: [FileKind?] = []
    private lazy var exact = ExactNames(self)
    private lazy var canonical = spellings { $0 }
    private lazy var folded = spellings { $0.lowercased() }
    private lazy var trimmed = spellings(Self.trimming)
    private lazy var sorted = indices.sorted { self[$0].lexicographicallyPrecedes(self[$1]) }

    var indices: Range<Int> { 0..<kinds.count }

    mutating func append(_ name: UnsafeRawBufferPointer, _ kind: FileKind?) {
        bytes.append(contentsOf: name)
        ends.append(bytes.count)
        kinds.append(kind)
    }

    subscript(place: Int) -> ArraySlice<UInt8> { bytes[ends[place]..<ends[place + 1]] }

    func kind(_ place: Int) -> FileKind? { kinds[place] }

    /// Nil if the bytes are not UTF-8.
    func name(_ place: Int) -> String? { String(validating: self[place], as: UTF8.self) }

    /// Where a name is that the service may have meant: the same bytes, the same letters in another normalization, and
    /// for clashes of case or spaces the same but for those.
    mutating func find(_ name: String, _ kind: ConflictKind) -> Int? {
        if let place = exact.find(Array(name.utf8), in: self) { return place }
        if let place = canonical[name] { return place }
        switch kind {
        case .caseClash: return folded[name.lowercased()]
        case .whitespaceClash: return trimmed[Self.trimming(name)]
        default: return nil
        }
    }

    /// The only name that goes on after the base of `cut` and has its extension; nil if there is none or more than one.
    mutating func findWhole(_ cut: String) -> Int? {
        let wanted = Array(cut.utf8)
        let dot = wanted.lastIndex(of: UInt8(ascii: ".")) ?? wanted.count
        let (base, ending) = (wanted[..<dot], wanted[dot...])
        guard !base.isEmpty else { return nil }
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if self[sorted[middle]].lexicographicallyPrecedes(base) { low = middle + 1 } else { high = middle }
        }
        var found: Int?
        while low < sorted.count, self[sorted[low]].starts(with: base) {
            let place = sorted[low]
            low += 1
            guard self[place].count > wanted.count, self[place].suffix(ending.count).elementsEqual(ending),
                !self[place].withUnsafeBytes({ ConflictTable.shared.mayBeConflict($0, deviceNames: []) })
            else { continue }
            if found != nil { return nil }
            found = place
        }
        return found
    }

    /// Strings are equal if their letters are, composed or not.
    private func spellings(_ key: (String) -> String) -> [String: Int] {
        var result: [String: Int] = [:]
        for place in indices {
            if let name = name(place) { result[key(name), default: place] = result[key(name)] ?? place }
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

/// Places of names by their bytes.
private struct ExactNames {
    private var slots: [Int32]

    init(_ names: FolderNames) {
        var count = 16
        while count < names.indices.count * 2 { count *= 2 }
        slots = [Int32](repeating: -1, count: count)
        for place in names.indices {
            var slot = Self.hash(names[place]) & (count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (count - 1) }
            slots[slot] = Int32(place)
        }
    }

    func find(_ name: [UInt8], in names: FolderNames) -> Int? {
        var slot = Self.hash(name[...]) & (slots.count - 1)
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if names[place].elementsEqual(name) { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private static func hash(_ name: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        name.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
