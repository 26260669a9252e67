import Foundation
import LLVSCore

/// The values that the benchmarks of the store save: the same at every run.
enum BenchmarkValues {
    /// A random-looking key of 36 characters.
    static func id(_ number: Int) throws -> Value.ID { try Value.ID("\(UUID(uuid: bytes(UInt64(number))))") }

    static func ids(_ numbers: Range<Int>) throws -> [Value.ID] { try numbers.map(id) }

    /// 200 bytes.
    static func body(_ number: Int) -> [UInt8] { (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) } }

    static func update(_ id: Value.ID, _ number: Int) -> Value.Change {
        .update(Value(id: id, content: .bytes(body(number))))
    }

    static func insert(_ id: Value.ID, _ number: Int) -> Value.Change {
        .insert(Value(id: id, content: .bytes(body(number))))
    }

    /// A fixed scatter of the number.
    private static func bytes(_ number: UInt64) -> uuid_t {
        let a = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
        let b = (a ^ (a >> 31)) &* 0xBF58_476D_1CE4_E5B9
        func byte(_ value: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> (8 * index)) }
        return (
            byte(a, 0), byte(a, 1), byte(a, 2), byte(a, 3), byte(a, 4), byte(a, 5), byte(a, 6), byte(a, 7), byte(b, 0),
            byte(b, 1), byte(b, 2), byte(b, 3), byte(b, 4), byte(b, 5), byte(b, 6), byte(b, 7)
        )
    }
}
