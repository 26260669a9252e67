package import LLVSCore

/// A transform, and what a folder's files and names say of it.
package struct FolderSeal: Sendable {
    package let transform: any FolderTransform

    /// - Precondition: the transform has a name and a secret as it should.
    package init(_ transform: any FolderTransform) {
        precondition(Self.isName(transform.name.utf8), "'\(transform.name)' is no name of a transform.")
        precondition(transform.secret.count >= Self.leastSecretLength, "A secret has 16 bytes or more.")
        self.transform = transform
    }

    static let leastSecretLength = 16
    static let greatestNameLength = 64
    static let markLength = 16

    static func isName(_ name: some Collection<UInt8>) -> Bool {
        1...greatestNameLength ~= name.count && name.allSatisfy { (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }
    }

    /// The most bytes that a transform makes of a file.
    static func greatestSealedLength(of length: UInt64) -> UInt64 { length + length / 64 + 4_096 }

    /// What sealed files of a store say of the transform.
    package func label(in store: StoreIdentity) -> SealLabel {
        let mark = derive("LLVSmark1", store).digest().bytes.prefix(Self.markLength)
        return SealLabel(name: transform.name, mark: Array(mark))
    }

    /// The name under which what would have this name plain is sealed. That of entries has a hash of the sealed file.
    package func hide(_ name: FolderFileName, in store: StoreIdentity) -> FolderFileName {
        switch name {
        case .piece(let hash): .piece(hide(hash, in: store))
        case .snapshot(let set, let index, let count, let hash):
            .snapshot(set: hide(set, in: store), index: index, count: count, hash: hide(hash, in: store))
        default: name
        }
    }

    /// What stands in a name for this hash.
    package func hide(_ hash: NameHash, in store: StoreIdentity) -> NameHash {
        NameHash(utf8: hide(hash.text, in: store).utf8) ?? hash
    }

    private func hide(_ text: String, in store: StoreIdentity) -> String {
        var hash = derive("LLVSname1", store)
        hash.update([UInt8](text.utf8))
        return String(hash.digest().base32.prefix(text.utf8.count))
    }

    private func derive(_ what: String, _ store: StoreIdentity) -> SHA256 {
        var secret = ByteWriter()
        secret.lengthPrefixed(transform.secret)
        var hash = SHA256()
        hash.update([UInt8](what.utf8))
        hash.update(store.bytes)
        hash.update(secret.bytes)
        return hash
    }
}

/// What a sealed file says of its transform: the header of its kind.
package struct SealLabel: Hashable, Sendable {
    package let name: String
    package let mark: [UInt8]

    /// The size of the longest.
    static let greatestByteCount = 4 + FolderSeal.greatestNameLength + FolderSeal.markLength
    /// The size of the shortest.
    static let leastByteCount = 4 + 1 + FolderSeal.markLength

    package init(name: String, mark: [UInt8]) {
        self.name = name
        self.mark = mark
    }

    package var encoded: [UInt8] {
        var out = ByteWriter()
        out.lengthPrefixed([UInt8](name.utf8))
        out.append(mark)
        return out.bytes
    }

    package init(decoding bytes: ArraySlice<UInt8>, allowingMore: Bool = false) throws(StoreError) {
        var reader = ByteReader(bytes, of: "label of the sealed file")
        let name = try reader.lengthPrefixed()
        guard FolderSeal.isName(name) else { throw reader.failure("has no name of a transform") }
        self.name = String(decoding: name, as: UTF8.self)
        mark = try reader.bytes(FolderSeal.markLength)
        if !allowingMore { try reader.expectEnd() }
    }

    /// Why a file with this label is not opened by a device with that one; nil if it is.
    func refusal(by other: SealLabel?) -> String? {
        if other == self { return nil }
        return isAnotherKey(than: other)
            ? "it is sealed by '\(name)' with another key" : "it is sealed by '\(name)', which is not given here"
    }

    /// Whether it is the same transform with another key.
    func isAnotherKey(than other: SealLabel?) -> Bool { other?.name == name && other?.mark != mark }
}
