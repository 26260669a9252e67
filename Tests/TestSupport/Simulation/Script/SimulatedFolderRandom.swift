/// Random numbers that a seed repeats (SplitMix64).
public struct SimulatedFolderRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The numbers of this seed.
    public init(seed: UInt64) { state = seed &* 0x2545_f491_4f6c_dd1d &+ 1 }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// True in one of `count` cases.
    public mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// Noise.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count + 8) { room, filled in
            let bytes = UnsafeMutableRawBufferPointer(room)
            var place = 0
            while place < count {
                bytes.storeBytes(of: next(), toByteOffset: place, as: UInt64.self)
                place += 8
            }
            filled = count
        }
    }
}
