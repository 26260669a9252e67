/// Something a command left out or left alone, and why.
struct SkippedItem: Codable, Hashable, Sendable {
    let file: String
    let reason: String
}

extension [SkippedItem] {
    /// For people: the reasons counted, and the first few items of each.
    func summary(_ verb: String, showing limit: Int = 5) -> [String] {
        var groups: [(reason: String, files: [String])] = []
        for item in self {
            if let index = groups.firstIndex(where: { $0.reason == item.reason }) {
                groups[index].files.append(item.file)
            } else {
                groups.append((item.reason, [item.file]))
            }
        }
        return groups.flatMap { group in
            let rest = group.files.count - limit
            return ["\(verb) \(group.files.count) (\(printable(group.reason))):"]
                + group.files.prefix(limit).map { "  " + printable($0) }
                + (rest > 0 ? ["  and \(rest) more (--json lists them all)"] : [])
        }
    }
}
