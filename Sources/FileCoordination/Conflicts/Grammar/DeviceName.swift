/// Whether a text is the name of a computer as systems make it up: `DESKTOP-4F2K9QX`, `MacBook Pro de Alex`, `ALEX-PC`.
enum DeviceName {
    /// Whether the text has all the letters of a word for a device, in any order: nearly no ordinary name does.
    static func mayBeIn(_ text: UnsafeRawBufferPointer) -> Bool {
        let missing = ~text.letters
        for place in wanted.indices where wanted[place] & missing == 0 { return true }
        return false
    }

    static func looksLikeOne(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count <= 64, let first = text.first, first != UInt8(ascii: " "), mayBeIn(text) else { return false }
        return isWindowsDefault(text) || hasDeviceWord(text) || isShoutedComputer(text)
    }

    /// What Windows' setup chooses: a prefix and random letters and digits.
    private static func isWindowsDefault(_ text: UnsafeRawBufferPointer) -> Bool {
        windows.contains { prefix, random in
            text.starts(with: prefix.utf8) && random.contains(text.count - prefix.utf8.count)
                && text.dropFirst(prefix.utf8.count).allSatisfy { TagCharacters.upper.contains($0) }
        }
    }

    /// An Apple computer; or any device that is somebody's.
    private static func hasDeviceWord(_ text: UnsafeRawBufferPointer) -> Bool {
        if apple.contains(where: { text.hasWord($0) }) { return true }
        return owners.contains { text.finds($0) != nil } && devices.contains { text.hasWord($0) }
    }

    /// Upper case, with a word for a computer: `ALEX-PC`, `PC-ALEX`, `ALEXPC`.
    private static func isShoutedComputer(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.allSatisfy({ TagCharacters.upper.contains($0) || $0 == UInt8(ascii: "-") }) else { return false }
        let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        if parts.contains(where: \.isEmpty) { return false }
        if parts.count > 1 { return parts.contains { part in shouted.contains { part.elementsEqual($0) } } }
        return text.count >= 5 && text.suffix(2).elementsEqual("PC".utf8)
    }

    /// The letters of each word, without words that have all letters of another one.
    private static let wanted: LastingTable<UInt64> = {
        let words = (windows.map { Array($0.prefix.utf8) } + apple + devices + shouted)
            .map { $0.withUnsafeBytes(\.letters) }
        var rare: [UInt64] = []
        for word in words.sorted(by: { $0.nonzeroBitCount < $1.nonzeroBitCount })
        where !rare.contains(where: { $0 & ~word == 0 }) { rare.append(word) }
        return LastingTable(rare)
    }()
    private static let windows = [
        (prefix: "DESKTOP-", random: 7...7), (prefix: "LAPTOP-", random: 7...8), (prefix: "WIN-", random: 11...11),
    ]
    private static let apple = ["MacBook", "Macbook", "iMac", "Mac mini", "Mac-mini", "Mac Studio", "Mac-Studio"]
        .map { Array($0.utf8) }
    private static let devices = ["iPhone", "iPad", "Mac", "PC", "Laptop", "laptop", "Desktop", "Surface", "ThinkPad"]
        .map { Array($0.utf8) }
    private static let owners = ["'s ", "\u{2019}s ", " de ", " di ", " von ", "s-", "-von-", "-de-", "-di-"]
        .map { Array($0.utf8) }
    private static let shouted = ["PC", "LAPTOP", "DESKTOP", "NOTEBOOK", "SURFACE", "MACBOOK", "IMAC", "THINKPAD"]
        .map { Array($0.utf8) }
}

extension UnsafeRawBufferPointer {
    /// A bit for each ASCII letter that is there.
    fileprivate var letters: UInt64 {
        var bits: UInt64 = 0
        // From "@" on: capitals, then small letters; the few signs among them do no harm.
        for byte in self where byte & 0xC0 == 0x40 { bits |= 1 &<< UInt64(byte & 0x3F) }
        return bits
    }

    /// Where these bytes first are.
    func finds(_ wanted: [UInt8], from start: Int = 0) -> Int? {
        guard let first = wanted.first, count >= wanted.count else { return nil }
        var place = start
        while place <= count - wanted.count {
            if self[place] == first, self[place..<place + wanted.count].elementsEqual(wanted) { return place }
            place += 1
        }
        return nil
    }

    /// Whether the word is there and no ASCII letter is next to it.
    fileprivate func hasWord(_ word: [UInt8]) -> Bool {
        var start = 0
        while let place = finds(word, from: start) {
            let end = place + word.count
            if place == 0 || !self[place - 1].isASCIILetter, end == count || !self[end].isASCIILetter { return true }
            start = place + 1
        }
        return false
    }
}
