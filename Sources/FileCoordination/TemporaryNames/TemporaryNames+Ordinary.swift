/// A first look that lets nearly every ordinary name pass in some ten nanoseconds: a watcher asks for each name that it lists.
extension TemporaryNames {
    /// Whether the name is surely in no table and of no shape.
    static func isSurelyOrdinary(_ name: String) -> Bool {
        name.utf8.withContiguousStorageIfAvailable(isSurelyOrdinary) ?? false
    }

    private static func isSurelyOrdinary(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return true }
        // What begins or ends with these is looked at in full.
        switch first {
        case UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "#"): return false
        default: break
        }
        switch last {
        case UInt8(ascii: "~"), UInt8(ascii: "_"): return false
        default: break
        }
        if controlShapes.contains(Shape(length: bytes.count, first: first)) { return false }
        var dot: Int?
        for index in 1..<max(bytes.count, 1) {
            let byte = bytes[index]
            // Proton Drive's marks.
            if byte == UInt8(ascii: "#") { return false }
            guard byte == UInt8(ascii: ".") else { continue }
            dot = index
            // `.tmp.4242`, `.tmp-…`, `.sb-…`.
            guard index + 3 < bytes.count else { continue }
            let (one, two) = (bytes[index + 1], bytes[index + 2])
            if one == UInt8(ascii: "t"), two == UInt8(ascii: "m"), bytes[index + 3] == UInt8(ascii: "p") {
                return false
            }
            if one == UInt8(ascii: "s"), two == UInt8(ascii: "b"), bytes[index + 3] == UInt8(ascii: "-") {
                return false
            }
        }
        guard let dot else { return true }
        return !isSpecialExtension(bytes[(dot + 1)...])
    }

    private static func isSpecialExtension(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        // Longer than eight bytes is rare, and looked at in full.
        guard bytes.count <= 8 else { return bytes.count <= longestExtension }
        return specialExtensions.contains(packed(bytes))
    }

    /// Up to eight bytes in lower case as one number.
    private static func packed(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64((65...90).contains($1) ? $1 | 32 : $1) }
    }

    private static let specialExtensions = Set(
        (Array(temporaryExtensions.keys) + placeholderExtensions.keys + ["icloud", "download"])
            .filter { $0.utf8.count <= 8 }.map { packed($0.utf8) })

    /// Whole names that no other rule here catches, by length and first byte.
    private static let plainControls = controlNames.keys.filter { !$0.hasPrefix(".") }
    private static let controlShapes = Set(
        (plainControls + ["syncthing-folder-1a2b3c.txt"]).compactMap { name in
            name.utf8.first.map { Shape(length: name.utf8.count, first: $0) }
        })

    private struct Shape: Hashable {
        let length: Int
        let first: UInt8
    }
}
