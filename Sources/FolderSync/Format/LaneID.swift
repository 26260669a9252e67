/// The name of a lane: one attachment of one store to one folder, and the directory that only it writes to.
///
/// A device has as many lanes as it has attachments, and takes a new one when it finds that a twin (a cloned or restored
/// copy of it) writes to the same.
public struct LaneID: Hashable, Sendable {
    private let name: RandomName

    /// A lane nobody has.
    public static func random() -> Self {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// A lane of the numbers `generator` makes.
    package static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Self(name: RandomName(using: &generator))
    }

    /// The lane of these 16 bytes; nil for any other number of them.
    public init?(bytes: [UInt8]) {
        guard let name = RandomName(bytes: bytes) else { return nil }
        self.init(name: name)
    }

    /// The lane whose directory is called `text`; nil for anything else.
    public init?(_ text: String) { self.init(utf8: text.utf8) }

    /// The lane to which a file belongs by its path below the folder; a directory that a service renamed counts for its lane.
    static func of(file path: String) -> Self? {
        guard let directory = path.split(separator: "/", maxSplits: 1).first, directory.endIndex < path.endIndex else {
            return nil
        }
        return Self(String(directory.prefix(RandomName.characterCount)))
    }

    init?(utf8: some Collection<UInt8>) {
        guard let name = RandomName(text: utf8) else { return nil }
        self.init(name: name)
    }

    private init(name: RandomName) { self.name = name }

    /// The 16 bytes.
    public var bytes: [UInt8] { name.bytes }
}

extension LaneID: Comparable {
    /// Whether `left`'s bytes come first.
    public static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}

extension LaneID: CustomStringConvertible {
    /// The lane as 26 characters of base32: the name of its directory.
    public var description: String { name.text }
}
