extension Value {
    /// The name of a value: 1 to 65,535 bytes of valid UTF-8.
    ///
    /// Ids are equal, hashed and ordered by their bytes alone, on every platform: ids that differ in case, or in how an
    /// accent is composed, are different ids. Any character is allowed, `/` and NUL too: an id is never a path.
    public struct ID: Hashable, Sendable {
        /// The bytes of the id.
        public let utf8: [UInt8]

        /// The most bytes an id has.
        public static let maximumByteCount = 65_535

        /// The id that reads `string`. With a literal, Swift takes the literal's own initializer, which traps instead.
        /// - Throws: ``StoreError/Code/invalidValueID`` if it is empty or longer than 65,535 bytes.
        public init(_ string: String) throws(StoreError) {
            let bytes = [UInt8](string.utf8)
            try Self.checkCount(bytes)
            utf8 = bytes
        }

        /// The id of these bytes.
        /// - Throws: ``StoreError/Code/invalidValueID`` unless they are 1 to 65,535 bytes of valid UTF-8.
        public init(utf8: [UInt8]) throws(StoreError) {
            try Self.checkCount(utf8)
            guard utf8.isValidUTF8 else {
                throw StoreError(.invalidValueID, "the value id is not valid UTF-8", remedy: "encode it as UTF-8")
            }
            self.utf8 = utf8
        }

        /// The id of bytes that were an id when they were stored, and are known to be unchanged: nothing is checked.
        package init(trusted utf8: [UInt8]) { self.utf8 = utf8 }

        /// The id as text.
        public var rawValue: String { String(decoding: utf8, as: UTF8.self) }

        private static func checkCount(_ bytes: [UInt8]) throws(StoreError) {
            guard (1...maximumByteCount).contains(bytes.count) else {
                throw StoreError(
                    .invalidValueID, "the value id has \(bytes.count) bytes", remedy: "use 1 to 65,535 bytes")
            }
        }
    }
}

extension Value.ID: Comparable {
    /// Whether `left`'s bytes come first.
    public static func < (left: Self, right: Self) -> Bool { left.utf8.precedes(right.utf8) }

    /// Whether the bytes are the same.
    public static func == (left: Self, right: Self) -> Bool { left.utf8 == right.utf8 }

    /// Feeds the bytes to `hasher`.
    public func hash(into hasher: inout Hasher) {
        utf8.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension Value.ID: ExpressibleByStringLiteral {
    /// The id that reads `literal`, which must not be empty or longer than 65,535 bytes.
    public init(stringLiteral literal: String) {
        do {
            try self.init(literal)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension Value.ID: CustomStringConvertible {
    /// The id as text.
    public var description: String { rawValue }
}
