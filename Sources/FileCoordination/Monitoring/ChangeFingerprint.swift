import CPlatform

/// What a probe saw, in 32 bytes: two that are equal mean that nothing changed as far as the probe looks.
public struct ChangeFingerprint: Hashable, Sendable, CustomStringConvertible {
    private let digest: [UInt8]

    /// The fingerprint of these bytes: an entity tag, a revision, a cursor, as a service gives them out.
    public init(_ bytes: some Sequence<UInt8>) {
        var builder = Builder()
        builder.add(Array(bytes))
        self = builder.finish()
    }

    /// The fingerprint of this text.
    public init(_ text: String) { self.init(text.utf8) }

    private init(digest: [UInt8]) { self.digest = digest }

    /// The first eight bytes in hexadecimal, to tell fingerprints apart in a log.
    public var description: String {
        digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Gathers what a fingerprint is made of. Pieces carry their lengths, so that their borders count.
    struct Builder {
        private var hash = cplatform_sha256()

        init() { cplatform_sha256_init(&hash) }

        mutating func add(_ bytes: [UInt8]) {
            add(Int64(bytes.count))
            cplatform_sha256_update(&hash, bytes, bytes.count)
        }

        mutating func add(_ number: Int64) {
            withUnsafeBytes(of: number.littleEndian) { cplatform_sha256_update(&hash, $0.baseAddress, $0.count) }
        }

        /// Size and times. No inode: file systems over a network make up new ones at will.
        mutating func add(_ attributes: FileAttributes) {
            add(Int64(attributes.kind.rawValue))
            add(attributes.size)
            add(attributes.modified)
            add(attributes.changed)
        }

        consuming func finish() -> ChangeFingerprint {
            var digest = [UInt8](repeating: 0, count: 32)
            cplatform_sha256_final(&hash, &digest)
            return ChangeFingerprint(digest: digest)
        }
    }
}
