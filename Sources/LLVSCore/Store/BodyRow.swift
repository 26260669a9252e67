import CPlatform
import Synchronization

/// How a body that fits into one row is written: form 0 and its bytes, or, where that saves enough, form 2, its length as u32
/// and its bytes in raw deflate (RFC 1951).
enum BodyRow {
    static let plain: UInt8 = 0
    static let deflated: UInt8 = 2

    /// Below this, deflate costs a save more time than the disk gives back.
    static let smallestDeflated = 512
    private static let headerSize = 5
    /// A body that is longer is tried on samples first: noise is to cost next to nothing.
    private static let sampled = 16 << 10
    private static let sampleSize = 2 << 10

    static func encode(_ body: [UInt8]) -> [UInt8] {
        guard body.count >= smallestDeflated, isWorthTrying(body) else { return [plain] + body }
        // An eighth is the least that is worth inflating at each read.
        let limit = body.count - body.count / 8
        var row = [UInt8](repeating: 0, count: headerSize + limit)
        let size = body.withUnsafeBytes { body in
            row.withUnsafeMutableBytes {
                deflate(body, into: UnsafeMutableRawBufferPointer(rebasing: $0[headerSize...]))
            }
        }
        guard size > 0 else { return [plain] + body }
        row[0] = deflated
        withUnsafeBytes(of: UInt32(body.count).littleEndian) { row.replaceSubrange(1..<headerSize, with: $0) }
        row.removeLast(limit - size)
        return row
    }

    /// The length of the body in a row of form 2.
    static func size(ofDeflated row: [UInt8], number: Int64) throws -> Int {
        var reader = ByteReader(row[1...], of: "body row \(number)")
        let size = Int(try reader.u32())
        guard size <= BodyStorage.largestRow else { throw StoreError.damagedRecord("body row \(number)") }
        return size
    }

    /// The body in a row of form 2.
    static func inflate(_ row: [UInt8], number: Int64) throws -> [UInt8] {
        let size = try size(ofDeflated: row, number: number)
        var isExact = false
        let body = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            isExact = row.withUnsafeBytes {
                let stored = UnsafeRawBufferPointer(rebasing: $0[headerSize...])
                return cplatform_inflate(stored.baseAddress, stored.count, buffer.baseAddress, size) == 0
            }
            count = isExact ? size : 0
        }
        guard isExact else { throw StoreError.damagedRecord("body row \(number)") }
        return body
    }

    private static func isWorthTrying(_ body: [UInt8]) -> Bool {
        if body.count <= sampled { return true }
        var scratch = [UInt8](repeating: 0, count: sampleSize - sampleSize / 8)
        return [0, body.count / 2, body.count - sampleSize].contains { start in
            body.withUnsafeBytes { body in
                let sample = UnsafeRawBufferPointer(rebasing: body[start..<start + sampleSize])
                return scratch.withUnsafeMutableBytes { deflate(sample, into: $0) } > 0
            }
        }
    }

    /// The size of the result, or 0 if it does not fit.
    private static func deflate(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
        deflater.run(bytes, into: room)
    }

    /// One stream for all: making one costs as much as deflating 10 KB. Writers of one store take turns anyway.
    private static let deflater = Deflater()

    /// Unchecked because the stream is used within the lock alone.
    private final class Deflater: @unchecked Sendable {
        /// Nil without memory: nothing is deflated then.
        private let stream = cplatform_deflater_make(1)
        private let turn = Mutex(())

        deinit {
            cplatform_deflater_free(stream)
        }

        func run(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
            turn.withLock { _ in
                cplatform_deflater_run(stream, bytes.baseAddress, bytes.count, room.baseAddress, room.count)
            }
        }
    }
}
