import LLVSCore

/// The identity card of a shared folder: the text file that says which store the folder carries.
///
/// It is a function of the store's identity and the floor alone, so whoever writes it writes the same bytes, and two
/// devices that do so at once do not disagree. The *floor* is the lowest format a reader has to know to follow the
/// folder at all: 1 here.
package struct IdentityCard: Hashable, Sendable {
    /// The store whose folder it is.
    package let store: StoreIdentity

    /// The card of this store.
    package init(store: StoreIdentity) { self.store = store }

    /// What every card begins with, whatever its floor.
    package static let magic = [UInt8]("FolderSync store card\n".utf8)
    /// The size of a card of floor 1.
    package static let byteCount = pattern.count
    /// The largest file that may be a card, of whatever floor. No larger one needs to be read.
    package static let greatestByteCount = 4_096

    /// The file it has in the folder.
    package var fileName: FolderFileName { .card(store) }

    /// The bytes of the file.
    package var encoded: [UInt8] {
        let head = Self.beforeStore + [UInt8](store.description.utf8) + [Self.newline]
        return head + Self.hashField + [UInt8](SHA256.hash(head).base32.utf8) + [Self.newline]
    }

    private static let newline = UInt8(ascii: "\n")
    private static let floorField = [UInt8]("floor ".utf8)
    private static let beforeStore = magic + [UInt8]("floor 1\nstore ".utf8)
    private static let hashField = [UInt8]("sha256 ".utf8)
    private static let hashCharacterCount = Base32.characterCount(ofBytes: Digest.byteCount)

    /// A card of floor 1, with 0 where a character of base32 stands.
    private static let pattern =
        beforeStore + [UInt8](repeating: 0, count: RandomName.characterCount) + [newline]
        + hashField + [UInt8](repeating: 0, count: hashCharacterCount) + [newline]
}

extension IdentityCard {
    /// Reads the bytes of a whole file. A card from a newer version is `.future` once its hash is right.
    package static func decode(_ bytes: [UInt8]) -> FolderFileOutcome<IdentityCard> {
        guard !bytes.isEmpty else { return .arriving(have: 0, of: nil) }
        guard bytes.starts(with: magic.prefix(bytes.count)) else {
            return bytes.allSatisfy { $0 == 0 } ? .damaged("it consists of zero bytes") : .foreign
        }
        guard bytes.count <= greatestByteCount else { return .damaged("it is longer than any card") }
        let isFloor1 = bytes.starts(with: beforeStore.prefix(bytes.count))
        return isFloor1 ? decodeFloor1(bytes) : decodeNewer(bytes)
    }

    private static func decodeFloor1(_ bytes: [UInt8]) -> FolderFileOutcome<IdentityCard> {
        guard bytes.count <= byteCount else { return .damaged("it is longer than a card") }
        if bytes.count == byteCount, let card = whole(bytes) { return .verified(card) }
        let fits = zip(bytes, pattern).allSatisfy { byte, expected in
            expected == 0 ? Base32.decode([byte, UInt8(ascii: "a")]) != nil : byte == expected
        }
        guard fits else { return .damaged("its text is not that of a card") }
        guard bytes.count == byteCount else {
            let whole = bytes.count < beforeStore.count ? nil : UInt64(byteCount)
            return .arriving(have: UInt64(bytes.count), of: whole)
        }
        return .damaged("its hash does not match its text")
    }

    /// The card that these bytes are; nil if they are none.
    private static func whole(_ bytes: [UInt8]) -> IdentityCard? {
        let text = bytes[beforeStore.count...].prefix(RandomName.characterCount)
        guard let store = StoreIdentity(utf8: text), IdentityCard(store: store).encoded == bytes else { return nil }
        return IdentityCard(store: store)
    }

    /// Of a card of a higher floor only this is known: its first two lines, and that it ends with the hash of all before.
    private static func decodeNewer(_ bytes: [UInt8]) -> FolderFileOutcome<IdentityCard> {
        let arriving = FolderFileOutcome<IdentityCard>.arriving(have: UInt64(bytes.count), of: nil)
        let line = bytes[magic.count...].prefix { $0 != newline }
        let isWhole = line.endIndex < bytes.endIndex
        let digits = line.dropFirst(floorField.count)
        guard line.starts(with: floorField.prefix(line.count)), digits.count <= 9,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits.first != UInt8(ascii: "0"),
            !(isWhole && digits.isEmpty)
        else { return .damaged("its floor is no number") }
        let hashLine = bytes.suffix(hashField.count + hashCharacterCount + 1)
        guard isWhole, hashLine.starts(with: hashField), hashLine.last == newline,
            bytes[..<hashLine.startIndex].last == newline
        else { return arriving }
        let hash = String(decoding: hashLine.dropFirst(hashField.count).dropLast(), as: UTF8.self)
        guard hash == SHA256.hash(bytes[..<hashLine.startIndex]).base32 else {
            return .damaged("its hash does not match its text")
        }
        return .future("it is a card of format \(String(decoding: digits, as: UTF8.self))")
    }
}
