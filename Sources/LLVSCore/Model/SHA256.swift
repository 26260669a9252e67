import CPlatform

/// SHA-256 (FIPS 180-4), by the processor's own instructions where it has them.
///
/// A value: a copy goes on separately from the same point.
package struct SHA256: Sendable {
    private var state = cplatform_sha256()

    /// The hash of nothing yet.
    package init() { cplatform_sha256_init(&state) }

    /// Adds `bytes` to what is hashed.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        cplatform_sha256_update(&state, start, bytes.count)
    }

    /// Adds `bytes` to what is hashed.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds `bytes` to what is hashed.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds the 32 bytes of `digest` to what is hashed.
    package mutating func update(_ digest: Digest) {
        digest.withUnsafeBytes { update($0) }
    }

    /// The digest of what was added so far. More may be added afterwards.
    package func digest() -> Digest {
        var copy = state
        return withUnsafeTemporaryAllocation(byteCount: Digest.byteCount, alignment: 8) { buffer in
            cplatform_sha256_final(&copy, buffer.assumingMemoryBound(to: UInt8.self).baseAddress)
            return Digest(loading: UnsafeRawBufferPointer(buffer))
        }
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: [UInt8]) -> Digest {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: ArraySlice<UInt8>) -> Digest {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: UnsafeRawBufferPointer) -> Digest {
        var hash = Self()
        hash.update(bytes)
        return hash.digest()
    }
}
