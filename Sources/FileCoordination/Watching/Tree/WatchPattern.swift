/// One pattern of ``WatchOptions/ignoring``, read once.
///
/// A part is what stands between slashes. `*` stands for any characters of a part and `?` for one, `[a-z]` and `[!a-z]` for one
/// of a set or not of it, `\` takes the special meaning of the next character away; `**` as a whole part stands for any
/// number of parts. A leading dot is nothing special, and case counts.
struct WatchPattern: Sendable {
    private enum Part: Sendable {
        case anyNumber
        case name(String)
        case glob([Unicode.Scalar])
    }

    private let parts: [Part]
    /// Whether it is about a name at any depth: there is no slash but one at the end.
    private let isName: Bool
    private let isForFolders: Bool

    /// Nil for an empty pattern, which matches nothing.
    init?(_ text: String) {
        isForFolders = text.hasSuffix("/")
        var names = text.split(separator: "/")
        if names.first == ".", names.count > 1 { names.removeFirst() }
        guard !names.isEmpty else { return nil }
        isName = names.count == 1 && !text.hasPrefix("/") && !text.hasPrefix("./")
        parts = names.map { name in
            if name == "**" { return .anyNumber }
            let isPlain = !name.contains { "*?[\\".contains($0) }
            return isPlain ? .name(String(name)) : .glob(Array(name.unicodeScalars))
        }
    }

    /// Whether it matches the entry. `isFolder` nil means that it is not known: true only if it matches either way.
    func matches(_ name: String, in folder: @autoclosure () -> String, isFolder: Bool?) -> Bool {
        if isForFolders, isFolder != true { return false }
        if isName { return Self.matches(parts[0], name) }
        var names = folder().split(separator: "/")
        names.append(Substring(name))
        return Self.matches(parts[...], names[...])
    }

    private static func matches(_ parts: ArraySlice<Part>, _ names: ArraySlice<Substring>) -> Bool {
        guard let part = parts.first else { return names.isEmpty }
        if case .anyNumber = part {
            // At the end it stands for what is in the folder, not for the folder.
            if parts.count == 1 { return !names.isEmpty }
            return names.indices.contains { matches(parts.dropFirst(), names[$0...]) }
        }
        guard let name = names.first, matches(part, String(name)) else { return false }
        return matches(parts.dropFirst(), names.dropFirst())
    }

    private static func matches(_ part: Part, _ name: String) -> Bool {
        switch part {
        case .anyNumber: true
        case .name(let wanted): wanted == name
        case .glob(let pattern): GlobMatcher(pattern: pattern, text: Array(name.unicodeScalars)).matches()
        }
    }
}

/// Matches as `fnmatch(3)` does, by characters of Unicode whatever the locale is, in time of pattern times text.
private struct GlobMatcher {
    let pattern: [Unicode.Scalar]
    let text: [Unicode.Scalar]

    func matches() -> Bool {
        var (place, index) = (0, 0)
        // Where to go on if what follows the last star does not fit.
        var retry: (place: Int, index: Int)?
        while index < text.count {
            if place < pattern.count, pattern[place] == "*" {
                retry = (place + 1, index)
                place += 1
            } else if place < pattern.count, let next = step(place, text[index]) {
                place = next
                index += 1
            } else if let last = retry {
                retry = (last.place, last.index + 1)
                (place, index) = (last.place, last.index + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }

    /// The place after what matches one character; nil if it does not match.
    private func step(_ place: Int, _ character: Unicode.Scalar) -> Int? {
        switch pattern[place] {
        case "?": return place + 1
        case "\\" where place + 1 < pattern.count: return pattern[place + 1] == character ? place + 2 : nil
        case "[":
            guard let set = set(at: place) else { fallthrough }
            return set.contains(character) ? set.end : nil
        default: return pattern[place] == character ? place + 1 : nil
        }
    }

    private struct Bracket {
        var isNegated = false
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var end = 0

        func contains(_ character: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(character) } != isNegated }
    }

    /// Nil if the bracket is never closed: then it stands for itself.
    private func set(at place: Int) -> Bracket? {
        var set = Bracket()
        var next = place + 1
        if next < pattern.count, pattern[next] == "!" || pattern[next] == "^" {
            set.isNegated = true
            next += 1
        }
        let start = next
        while next < pattern.count {
            let low = pattern[next]
            // A bracket that comes first is one of the set.
            if low == "]", next > start {
                set.end = next + 1
                return set
            }
            if next + 2 < pattern.count, pattern[next + 1] == "-", pattern[next + 2] != "]" {
                let high = pattern[next + 2]
                if low <= high { set.ranges.append(low...high) }
                next += 3
            } else {
                set.ranges.append(low...low)
                next += 1
            }
        }
        return nil
    }
}
