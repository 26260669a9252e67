/// The name of a line of versions, such as "draft". Names are equal and ordered by their UTF-8 bytes.
public struct Branch: RawRepresentable, Sendable {
    /// The name.
    public let rawValue: String

    /// The branch of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The bytes of the name.
    package var utf8: [UInt8] { [UInt8](rawValue.utf8) }
}

// Strings are equal when their characters are, however composed; version bytes are not. Each operator is written out, because
// the library's own for raw values would compare the strings.
extension Branch: Hashable, Comparable {
    /// Whether the bytes are the same.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue.utf8.elementsEqual(right.rawValue.utf8) }
    /// Whether the bytes differ.
    public static func != (left: Self, right: Self) -> Bool { !(left == right) }
    /// Whether `left`'s bytes come first.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }
    /// Feeds the bytes to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(utf8) }
}

extension Branch: ExpressibleByStringLiteral {
    /// The branch that reads `literal`.
    public init(stringLiteral literal: String) { self.init(rawValue: literal) }
}

extension Branch: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
