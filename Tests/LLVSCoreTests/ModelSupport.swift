import Foundation
import LLVSCore

/// Random numbers that a seed repeats (SplitMix64).
struct ModelRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// The seed in MODEL_FUZZ_SEED, or a new one. It is printed at once, because a trap leaves no time for it.
    static func seed(for name: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["MODEL_FUZZ_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: .min ... .max)
        print("\(name): MODEL_FUZZ_SEED=\(seed)")
        return seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}

extension [UInt8] {
    /// The bytes that `hex` spells; nil if it spells none. A dash is no bytes.
    init?(hex: some StringProtocol) {
        self = []
        if hex == "-" { return }
        var rest = Substring(hex)
        while !rest.isEmpty {
            guard rest.utf8.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            append(byte)
            rest = rest.dropFirst(2)
        }
    }

    var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

/// The code of the store's error that `body` throws; nil if it throws none.
func storeErrorCode(_ body: () throws -> Void) -> StoreError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StoreError)?.code
    }
}
