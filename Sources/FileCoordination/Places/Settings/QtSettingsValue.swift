/// A string as Qt's `QSettings` writes it into an INI file: documented under `QSettings::IniFormat`.
///
/// Everything but plain ASCII may be written as `\x` and the UTF-16 code unit in hexadecimal; a value with commas or
/// semicolons stands in quotes; a string that starts with `@` has it twice.
enum QtSettingsValue {
    static func decode(_ value: String) -> String {
        var units: [UInt16] = []
        var rest = Array(value.utf16)[...]
        while let unit = rest.popFirst() {
            switch unit {
            case 0x22: continue
            case 0x5C: units.append(contentsOf: escape(&rest))
            default: units.append(unit)
            }
        }
        // Code units that make no character become U+FFFD; such a path is not found.
        let text = String(decoding: units, as: UTF16.self)
        if text.hasPrefix("@@") { return String(text.dropFirst()) }
        let array = "@ByteArray("
        return text.hasPrefix(array) && text.hasSuffix(")") ? String(text.dropFirst(array.count).dropLast()) : text
    }

    /// What stands after a backslash; nothing for what Qt does not write.
    private static func escape(_ rest: inout ArraySlice<UInt16>) -> [UInt16] {
        guard let unit = rest.popFirst() else { return [] }
        switch unit {
        case 0x78: return number(&rest, base: 16, first: nil)
        case 0x30...0x37: return number(&rest, base: 8, first: unit)
        case 0x22, 0x27, 0x3F, 0x5C: return [unit]
        default: return controls[unit].map { [$0] } ?? []
        }
    }

    /// a, b, f, n, r, t, v.
    private static let controls: [UInt16: UInt16] = [
        0x61: 7, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9, 0x76: 11,
    ]

    /// All digits that follow, as Qt reads them: it escapes a digit that would be taken for one too many.
    private static func number(_ rest: inout ArraySlice<UInt16>, base: UInt32, first: UInt16?) -> [UInt16] {
        var value = first.flatMap(digit) ?? 0
        while let next = rest.first, let digit = digit(next), digit < base {
            value = (value &* base &+ digit) & 0xFFFF
            rest.removeFirst()
        }
        return [UInt16(truncatingIfNeeded: value)]
    }

    private static func digit(_ unit: UInt16) -> UInt32? {
        switch unit {
        case 0x30...0x39: UInt32(unit) - 0x30
        case 0x41...0x46: UInt32(unit) - 0x41 + 10
        case 0x61...0x66: UInt32(unit) - 0x61 + 10
        default: nil
        }
    }
}
