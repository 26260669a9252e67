/// Something beside the files that is none of them and no conflict copy: known by its name, see ``TemporaryNames``.
public struct TemporaryItem: Hashable, Sendable {
    /// Where it is.
    public var path: String
    /// What it is, and whose.
    public var kind: TemporaryNames.Kind
    /// Whether it is a folder, which is not looked into; nil if the listing does not say.
    public var isFolder: Bool?

    /// The file that a placeholder stands for; nil for anything else.
    public var standsFor: String? {
        guard case .placeholder(let name, _) = kind, let place = FilePlace(path) else { return nil }
        return FilePlace.join(place.folder, name)
    }

    /// The program or system that made it.
    public var service: String {
        switch kind {
        case .temporary(let service), .control(let service), .placeholder(_, let service): service
        }
    }
}
