/// JSON as people write it into settings: with `//` and `/* */` comments and a comma after the last element.
enum RelaxedJSON {
    /// The same without comments and without those commas. What is in strings stays as it is.
    static func strict(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): takeString(&rest, into: &result)
            case UInt8(ascii: "/") where rest.first == UInt8(ascii: "/"): dropLine(&rest)
            case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"): dropComment(&rest)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                dropComma(&result)
                result.append(byte)
            default: result.append(byte)
            }
        }
        return result
    }

    private static func takeString(_ rest: inout ArraySlice<UInt8>, into result: inout [UInt8]) {
        result.append(UInt8(ascii: "\""))
        while let byte = rest.popFirst() {
            result.append(byte)
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { result.append(escaped) }
        }
    }

    private static func dropLine(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
    }

    private static func dropComment(_ rest: inout ArraySlice<UInt8>) {
        rest.removeFirst()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "*"), rest.first == UInt8(ascii: "/") {
                rest.removeFirst()
                return
            }
        }
    }

    private static func dropComma(_ result: inout [UInt8]) {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        guard let last = result.lastIndex(where: { !blanks.contains($0) }), result[last] == UInt8(ascii: ",") else {
            return
        }
        result.removeSubrange(last...)
    }
}
