extension Version {
    /// The name of a version: native or foreign.
    ///
    /// A *native* id is 52 characters of base32: the SHA-256 of the version's own bytes, and so a proof of them. Any other
    /// text of 1 to 255 UTF-8 bytes is a *foreign* id, given by a store of another kind, and proves nothing. Ids are equal,
    /// hashed and ordered by the bytes of their text.
    public struct ID: Hashable, Sendable {
        private let form: Form

        // A native id is kept as its 32 bytes: ids are compared and hashed far more often than they are printed.
        private enum Form: Hashable, Sendable {
            case native(Digest)
            case foreign([UInt8])
        }

        /// The version every store begins with, which has no values and no bytes: SHA-256 of "LLVS root 1".
        public static let root = ID(SHA256.hash([UInt8]("LLVS root 1".utf8)))

        /// The native id of a version whose bytes have this digest.
        public init(_ digest: Digest) { form = .native(digest) }

        /// The id that reads `text`: native if it is 52 characters of canonical base32, else foreign.
        /// - Throws: ``StoreError/Code/invalidVersionID`` if it is empty or longer than 255 bytes of UTF-8.
        public init(_ text: String) throws(StoreError) {
            try self.init(validUTF8: [UInt8](text.utf8))
        }

        /// The id of these bytes.
        /// - Throws: ``StoreError/Code/invalidVersionID`` unless they are 1 to 255 bytes of valid UTF-8.
        public init(utf8: [UInt8]) throws(StoreError) {
            // The length first: checking a long text for nothing costs time.
            guard utf8.count > 255 || utf8.isValidUTF8 else {
                throw StoreError(.invalidVersionID, "the version id is not valid UTF-8", remedy: "encode it as UTF-8")
            }
            try self.init(validUTF8: utf8)
        }

        private init(validUTF8 utf8: [UInt8]) throws(StoreError) {
            guard (1...255).contains(utf8.count) else {
                throw StoreError(
                    .invalidVersionID, "the version id has \(utf8.count) bytes", remedy: "use 1 to 255 bytes")
            }
            let isNativeLength = utf8.count == Base32.characterCount(ofBytes: Digest.byteCount)
            if isNativeLength, let bytes = Base32.decode(utf8), let digest = Digest(bytes: bytes) {
                form = .native(digest)
            } else {
                form = .foreign(utf8)
            }
        }

        /// Whether the id is the digest of its version.
        public var isNative: Bool { digest != nil }

        /// The digest of the version's bytes; nil for a foreign id.
        public var digest: Digest? {
            switch form {
            case .native(let digest): digest
            case .foreign: nil
            }
        }

        /// The bytes of the id's text.
        public var utf8: [UInt8] {
            switch form {
            case .native(let digest): digest.withUnsafeBytes { Base32.encodedUTF8($0) }
            case .foreign(let utf8): utf8
            }
        }
    }
}

extension Version.ID: Comparable {
    /// Whether the bytes of `left`'s text come first.
    public static func < (left: Self, right: Self) -> Bool {
        if let mine = left.digest, let theirs = right.digest { return Base32.textPrecedes(mine, theirs) }
        return left.utf8.precedes(right.utf8)
    }
}

extension Version.ID: CustomStringConvertible {
    /// The id as text.
    public var description: String { String(decoding: utf8, as: UTF8.self) }
}
