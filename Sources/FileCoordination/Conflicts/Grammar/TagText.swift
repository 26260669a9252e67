/// What a text inside a tag must look like.
enum TagText: String, Hashable, Sendable, CaseIterable {
    /// Anything without a date in it: a date belongs to the tag, and one that is none spoils it.
    case who
    /// Letters, digits, `-` and `.`, a letter first.
    case host
    /// A device's name as systems make it up, or one that the caller knows.
    case device
    /// An electronic mail address.
    case mail
    /// Three words, or two in another script than Latin: a marker in a language that is not known.
    case phrase

    func accepts(_ text: UnsafeRawBufferPointer, deviceNames: Set<String>) -> Bool {
        switch self {
        case .who: !Self.hasDate(text)
        case .host: Self.isHost(text)
        case .device: DeviceName.looksLikeOne(text) || Self.isKnown(text, deviceNames)
        case .mail: Self.isMail(text)
        case .phrase: Self.isPhrase(text)
        }
    }

    /// Bytes without which no text is accepted.
    var needed: String.UTF8View { self == .mail ? "@.".utf8 : "".utf8 }

    private static func isKnown(_ text: UnsafeRawBufferPointer, _ names: Set<String>) -> Bool {
        if names.isEmpty { return false }
        return String(validating: text, as: UTF8.self).map(names.contains) ?? false
    }

    private static func hasDate(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= 10 else { return false }
        return (0...text.count - 10).contains { start in
            (0..<10).allSatisfy { place in
                let byte = text[start + place]
                return place == 4 || place == 7 ? byte == UInt8(ascii: "-") : byte.isASCIIDigit
            }
        }
    }

    private static func isHost(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first, first.isASCIILetter else { return false }
        return text.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    private static func isMail(_ text: UnsafeRawBufferPointer) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let dot = parts[1].firstIndex(of: UInt8(ascii: ".")) else {
            return false
        }
        return dot > parts[1].startIndex && dot < parts[1].endIndex - 1
            && text.allSatisfy { $0.isASCIIAlphanumeric || "@.-_+".utf8.contains($0) || $0 >= 0x80 }
    }

    private static func isPhrase(_ text: UnsafeRawBufferPointer) -> Bool {
        let words = text.split(separator: UInt8(ascii: " ")).filter { word in
            word.contains { $0.isASCIILetter || $0 >= 0x80 }
        }
        // From U+0370 on: Greek and what follows it.
        let isForeign = words.contains { word in word.contains { $0 >= 0xCD } }
        return words.count >= (isForeign ? 2 : 3)
    }
}
