/// Text that came from elsewhere (ids, paths, reasons), safe to print on one line of a terminal: control characters and those
/// that turn the direction of writing are shown as escapes.
func printable(_ text: String) -> String {
    if !text.unicodeScalars.contains(where: isUnprintable) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\n": result += "\\n"
        case "\t": result += "\\t"
        case "\r": result += "\\r"
        case _ where isUnprintable(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// The bytes of a file name as text; those that are not UTF-8 as `\xff`.
func printable(name bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return printable(text) }
    return bytes.map { byte in
        if (0x20..<0x7f).contains(byte) { return String(UnicodeScalar(byte)) }
        let digits = String(byte, radix: 16)
        return "\\x" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
}

private func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
}

/// "1 file", "2 files".
func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
}

/// "999 bytes", "1.2 MB": powers of a thousand.
func sized(_ bytes: Int) -> String {
    if bytes < 1_000 { return counted(bytes, "byte") }
    var (tenths, unit) = ((Double(bytes) / 100).rounded(), 0)
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    while tenths >= 10_000, unit < units.count - 1 {
        tenths = (tenths / 1_000).rounded()
        unit += 1
    }
    return tenths < 1_000 ? "\(tenths / 10) \(units[unit])" : "\(Int(tenths / 10)) \(units[unit])"
}
