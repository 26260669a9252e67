package import LLVSCore

/// The part of a SHA-256 that stands in file names: the first 160 bits, as 32 characters of base32.
///
/// It finds a file and keeps two files apart. What is in a file is known from the file alone.
package struct NameHash: Hashable, Sendable {
    /// The 32 characters.
    package let text: String

    /// How many characters it has. A multiple of 8, so that no bits are left over and every text is canonical.
    package static let characterCount = 32

    /// What names a file by `digest`.
    package init(_ digest: Digest) {
        text = String(digest.base32.prefix(Self.characterCount))
    }

    /// How many bytes it has.
    static let byteCount = 20

    /// The hash of these 20 bytes; nil for any other number of them.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        text = Base32.encode(bytes)
    }

    /// The 20 bytes.
    var bytes: [UInt8] { Base32.decode(text.utf8) ?? [] }

    /// The hash these characters write; nil unless they are 32 characters of base32 in lower case.
    init?(utf8: some Collection<UInt8>) {
        guard utf8.count == Self.characterCount, Base32.decode(utf8) != nil else { return nil }
        text = String(decoding: utf8, as: UTF8.self)
    }
}
