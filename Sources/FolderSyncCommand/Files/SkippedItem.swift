/// Something a command left out or left alone, and why.
struct SkippedItem: Codable, Hashable, Sendable {
    let file: String
    let reason: String
}

extension [SkippedItem] {
    /// For people: each reason with its number of files, and the first few of them. An item may be about no file.
    func summary(_ title: String, showing limit: Int = 5) -> [String] {
        var groups: [(reason: String, files: [String])] = []
        for item in self {
            if let index = groups.firstIndex(where: { $0.reason == item.reason }) {
                groups[index].files.append(item.file)
            } else {
                groups.append((item.reason, [item.file]))
            }
        }
        return groups.flatMap { group in
            let files = group.files.filter { !$0.isEmpty }
            let rest = files.count - limit
            let count = files.isEmpty ? "" : " (\(counted(files.count, "file")))"
            return ["\(title): \(printable(group.reason))\(count)"]
                + files.prefix(limit).map { "  " + printable($0) }
                + (rest > 0 ? ["  and \(rest) more (--json lists them all)"] : [])
        }
    }
}
