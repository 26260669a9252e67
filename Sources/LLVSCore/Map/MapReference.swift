/// What the map holds under an id: the hash of the value's bytes, and where this store keeps them.
package struct MapReference: Hashable, Sendable {
    /// The SHA-256 of the value's bytes. The only part that digests and differences look at.
    package let contentHash: Digest
    /// The local row of the version that stored the value.
    package let version: Int64
    /// The local row of the value's bytes.
    package let body: Int64

    /// A reference to bytes of this hash in these rows.
    package init(contentHash: Digest, version: Int64, body: Int64) {
        self.contentHash = contentHash
        self.version = version
        self.body = body
    }
}

/// What happens to one id when edits are applied to a map.
package enum MapEdit: Hashable, Sendable {
    /// The id has this reference from now on, whether it was there or not.
    case put(MapReference)
    /// The id is absent from now on, whether it was there or not.
    case remove
}
