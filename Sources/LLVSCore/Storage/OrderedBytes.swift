#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Bytes in the order of `memcmp`, as SQLite orders blobs: unsigned, a prefix before what it begins.
struct OrderedBytes: Comparable, Sendable {
    let bytes: [UInt8]

    static func < (left: Self, right: Self) -> Bool {
        let common = min(left.bytes.count, right.bytes.count)
        let order = left.bytes.withUnsafeBytes { left in
            right.bytes.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return CInt(0) }
                return memcmp(left, right, common)
            }
        }
        return order == 0 ? left.bytes.count < right.bytes.count : order < 0
    }
}
