import LLVSCore

extension FolderFileName {
    /// Reads a name.
    ///
    /// A name of ours is exactly what ``text`` prints, byte for byte: no capitals, no leading zeros, no other spelling.
    package init(_ text: String) {
        self = Self(ours: text.utf8[...]) ?? .stranger(text, Stranger(text.utf8[...]))
    }

    /// The name of ours that is printed so; nil for all others.
    init?(ours name: Substring.UTF8View) {
        if let base = name.strippingSuffix(".llvs") {
            self.init(llvs: base)
        } else if let base = name.strippingSuffix(".store"), let store = StoreIdentity(utf8: base) {
            self = .card(store)
        } else if let random = name.strippingPrefix("~syncthing~fs-")?.strippingSuffix(".tmp"),
            let random = RandomName(text: random)
        {
            self = .temporary(random.text)
        } else {
            return nil
        }
    }

    private init?(llvs base: Substring.UTF8View) {
        let fields = base.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let kind = fields.first, let last = fields.last, let hash = NameHash(utf8: last) else { return nil }
        switch (String(Substring(kind)), fields.count) {
        case ("e", 4):
            guard let from = decimal(fields[1], atMost: Self.greatestEntry),
                let to = decimal(fields[2], atMost: Self.greatestEntry),
                from <= to
            else { return nil }
            self = .entries(from: from, to: to, hash: hash)
        case ("v", 2):
            self = .piece(hash)
        case ("p", 5):
            guard fields[1].count == Self.setCharacterCount, Base32.decode(fields[1]) != nil,
                let index = decimal(fields[2], atMost: UInt64(Self.greatestPieceCount)),
                let count = decimal(fields[3], atMost: UInt64(Self.greatestPieceCount)), index <= count
            else { return nil }
            let set = String(Substring(fields[1]))
            self = .snapshot(set: set, index: Int(index), count: Int(count), hash: hash)
        case ("r", 2):
            self = .note(hash)
        default:
            return nil
        }
    }
}

/// The number from 1 to `limit` that these digits are the decimal spelling of.
private func decimal(_ digits: Substring.UTF8View, atMost limit: UInt64) -> UInt64? {
    // Sixteen digits always fit, and the first of them says that it is a number without leading zeros and without a sign.
    guard (1...16).contains(digits.count), let first = digits.first, first != UInt8(ascii: "0") else { return nil }
    var number: UInt64 = 0
    for digit in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
        number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
    }
    return number <= limit ? number : nil
}

extension Substring.UTF8View {
    /// What comes before `suffix`; nil if something else is at the end.
    func strippingSuffix(_ suffix: String) -> Substring.UTF8View? {
        reversed().starts(with: suffix.utf8.reversed()) ? dropLast(suffix.utf8.count) : nil
    }

    /// What comes after `prefix`; nil if something else is at the start.
    func strippingPrefix(_ prefix: String) -> Substring.UTF8View? {
        starts(with: prefix.utf8) ? dropFirst(prefix.utf8.count) : nil
    }
}
