/// Which store a folder carries: 16 random bytes, chosen once, when the first device attaches and creates.
///
/// Devices that share a store share its identity, whatever their own stores were before.
public struct StoreIdentity: Hashable, Sendable {
    private let name: RandomName

    /// An identity nobody has.
    public static func random() -> Self {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// An identity of the numbers `generator` makes.
    package static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Self(name: RandomName(using: &generator))
    }

    /// The identity of these 16 bytes; nil for any other number of them.
    public init?(bytes: [UInt8]) {
        guard let name = RandomName(bytes: bytes) else { return nil }
        self.init(name: name)
    }

    /// The identity ``description`` writes as `text`; nil for anything else.
    public init?(_ text: String) { self.init(utf8: text.utf8) }

    init?(utf8: some Collection<UInt8>) {
        guard let name = RandomName(text: utf8) else { return nil }
        self.init(name: name)
    }

    private init(name: RandomName) { self.name = name }

    /// The 16 bytes.
    public var bytes: [UInt8] { name.bytes }
}

extension StoreIdentity: Comparable {
    /// Whether `left`'s bytes come first.
    public static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}

extension StoreIdentity: CustomStringConvertible {
    /// The identity as 26 characters of base32.
    public var description: String { name.text }
}
