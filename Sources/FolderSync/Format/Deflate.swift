import CPlatform

/// Raw deflate (RFC 1951), by zlib.
enum Deflate {
    private static let level: CInt = 6
    // Noise of this size and more is noticed by a sample from its middle, before time is spent on all of it.
    private static let sampledByteCount = 1 << 20
    private static let sampleByteCount = 1 << 16

    /// `plain` deflated, if that is smaller.
    static func deflate(_ plain: ArraySlice<UInt8>) -> [UInt8]? {
        if plain.count >= sampledByteCount {
            let sample = plain.dropFirst(plain.count / 2).prefix(sampleByteCount)
            guard deflate(sample, level: 1) != nil else { return nil }
        }
        return deflate(plain, level: level)
    }

    private static func deflate(_ plain: ArraySlice<UInt8>, level: CInt) -> [UInt8]? {
        guard !plain.isEmpty else { return nil }
        let deflated = [UInt8](unsafeUninitializedCapacity: plain.count) { buffer, count in
            count = plain.withUnsafeBytes {
                cplatform_deflate($0.baseAddress, $0.count, buffer.baseAddress, buffer.count, level)
            }
        }
        return deflated.isEmpty ? nil : deflated
    }

    /// The `count` bytes that `deflated` inflates to; nil if it is anything else than exactly they.
    ///
    /// `count` bytes are allocated, so the caller has to have bounded it.
    static func inflate(_ deflated: ArraySlice<UInt8>, to count: Int) -> [UInt8]? {
        var isExact = false
        let plain = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            isExact = deflated.withUnsafeBytes {
                cplatform_inflate($0.baseAddress, $0.count, buffer.baseAddress, count) == 0
            }
            initialized = isExact ? count : 0
        }
        return isExact ? plain : nil
    }
}
