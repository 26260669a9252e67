import CPlatform

/// Raw deflate (RFC 1951), by zlib.
enum Deflate {
    private static let level: CInt = 6
    // Noise of this size and more is noticed by samples from all over it, before time is spent on all of it: in a piece that
    // many bodies share, text may stand beside what is compressed already.
    private static let sampledByteCount = 1 << 20
    private static let sampleByteCount = 4 << 10
    private static let samples = 16

    /// `plain` deflated, if that is smaller.
    static func deflate(_ plain: ArraySlice<UInt8>) -> [UInt8]? {
        if plain.count >= sampledByteCount {
            let isWorthIt = (0..<samples).contains { number in
                let sample = plain.dropFirst(plain.count / samples * number).prefix(sampleByteCount)
                return deflate(sample, level: 1) != nil
            }
            guard isWorthIt else { return nil }
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
