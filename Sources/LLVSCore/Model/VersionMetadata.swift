extension Version {
    /// What an app notes about a version: bytes under keys, in the order of the keys' UTF-8 bytes.
    public struct Metadata: Hashable, Sendable {
        /// One key and its bytes.
        public struct Entry: Hashable, Sendable {
            /// The key in UTF-8.
            public let keyUTF8: [UInt8]
            /// The bytes under it.
            public let value: [UInt8]

            /// The key as text.
            public var key: String { String(decoding: keyUTF8, as: UTF8.self) }
        }

        /// The key the version's branch is under.
        public static let branchKey = "llvs.branch"

        /// Nothing noted.
        public static let empty = Metadata(ascending: [])

        /// All entries, ascending by the bytes of their keys, no key twice.
        public let entries: [Entry]

        /// The metadata of `values` and, if there is one, `branch`, which takes the place of a value under ``branchKey``.
        public init(_ values: [String: [UInt8]], branch: Branch? = nil) {
            var entries = values.map { Entry(keyUTF8: [UInt8]($0.key.utf8), value: $0.value) }
            if let branch {
                let key = [UInt8](Self.branchKey.utf8)
                entries.removeAll { $0.keyUTF8 == key }
                entries.append(Entry(keyUTF8: key, value: branch.utf8))
            }
            self.init(ascending: entries.sorted { $0.keyUTF8.precedes($1.keyUTF8) })
        }

        /// The metadata of entries that ascend by key.
        init(ascending entries: [Entry]) { self.entries = entries }

        /// The bytes under the key that has the same UTF-8 bytes as `key`.
        public subscript(key: String) -> [UInt8]? {
            let utf8 = [UInt8](key.utf8)
            return entries.first { $0.keyUTF8 == utf8 }?.value
        }

        /// The branch; nil if there is none, or if what is there is not text.
        public var branch: Branch? {
            self[Self.branchKey].flatMap { String(validating: $0, as: UTF8.self) }.map { Branch(rawValue: $0) }
        }
    }
}
