/// The names of a folder that could be copies, gathered while it is read: each with the hashes of what it could be a copy
/// of, so that most names that end in a number are let go by a look into a table, and are never touched again.
struct CandidateNames {
    private struct Candidate {
        let place: Int
        /// Where its hashes end among all.
        let end: Int
        let needsBase: Bool
    }

    /// A name that could be an original.
    enum Base {
        /// By the hash of its bytes.
        case bytes(UInt64)
        /// By the hash of all its spellings.
        case spellings(UInt64)
    }

    let hash = NameHash()
    private let table = ConflictTable.shared
    private let deviceNames: Set<String>
    private var candidates: [Candidate] = []
    private var bases: [Base] = []

    init(deviceNames: Set<String>) { self.deviceNames = deviceNames }

    var isEmpty: Bool { candidates.isEmpty }

    mutating func look(at name: UnsafeRawBufferPointer, _ place: Int) {
        let evidence = table.evidence(in: name, deviceNames: deviceNames) { base in
            bases.append(hash.ofSpellings(base).map(Base.spellings) ?? .bytes(hash(base)))
        }
        if evidence == .none { return }
        candidates.append(Candidate(place: place, end: bases.count, needsBase: evidence == .needsBase))
    }

    /// The places of those that say something alone, or have a name beside them that they could come from.
    func places(beside names: FolderNames) -> [Int] {
        var places: [Int] = []
        let known = knownBases(among: names)
        var start = 0
        for candidate in candidates {
            let isKnown = bases[start..<candidate.end].contains { base in
                switch base {
                case .bytes(let hash): known.contains(hash)
                case .spellings(let hash): names.hasSpelling(hash)
                }
            }
            if !candidate.needsBase || isKnown { places.append(candidate.place) }
            start = candidate.end
        }
        return places
    }

    /// The hashes of names that a base may have, by bytes. Nearly all names are let go by one bit.
    private func knownBases(among names: FolderNames) -> HashSet {
        var filter = HashFilter(capacity: bases.count)
        for case .bytes(let hash) in bases { filter.insert(hash) }
        var known: [UInt64] = []
        names.names.visit { _, name in
            let value = hash(name)
            if filter.mayContain(value) { known.append(value) }
        }
        return HashSet(known)
    }
}
