import FileCoordination

/// What programs and services keep beside the files, as `conflicts --temporary` prints it.
struct TemporaryNameItem: Encodable {
    let path: String
    /// "temporary", "control" or "placeholder": never a kind of conflict.
    let kind: String
    let service: String
    /// The file that a placeholder stands for.
    let of: String?
    let isFolder: Bool?

    init(_ item: TemporaryItem) {
        path = item.path
        kind = item.kind.word
        service = item.service
        of = item.standsFor
        isFolder = item.isFolder
    }
}

extension TemporaryItem {
    /// For people.
    var line: String {
        let stands = standsFor.map { " for '\(printable(WrittenPath($0).name))'" } ?? ""
        return "\(printable(path))  (\(printable(service)), \(kind.word)\(stands))"
    }
}

extension TemporaryNames.Kind {
    fileprivate var word: String {
        switch self {
        case .temporary: "temporary"
        case .control: "control"
        case .placeholder: "placeholder"
        }
    }
}
