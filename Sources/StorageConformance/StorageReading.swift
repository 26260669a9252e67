import Foundation
package import LLVSCore
import Synchronization

extension Storage {
    /// The keys of a range, in the order of the scan.
    package func keys(_ zone: KeyedZone, from: [UInt8] = [], before: [UInt8]? = nil) throws -> [[UInt8]] {
        try read { reader in
            var keys: [[UInt8]] = []
            try reader.scan(zone, from: from, before: before) { key, _ in
                keys.append(key)
                return true
            }
            return keys
        }
    }

    /// The rows from an id on, in the order of the scan.
    package func rows(_ zone: RowZone, from: Int64 = 0) throws -> [(id: Int64, bytes: [UInt8])] {
        try read { reader in
            var rows: [(id: Int64, bytes: [UInt8])] = []
            try reader.scanRows(zone, from: from) { id, bytes in
                rows.append((id, bytes))
                return true
            }
            return rows
        }
    }
}

/// Runs `body` on a thread of its own and waits for it.
func onOwnThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let failure = ThreadFailure()
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        defer { done.signal() }
        do { try body() } catch { failure.error.withLock { $0 = error } }
    }
    done.wait()
    if let error = failure.error.withLock({ $0 }) { throw error }
}

private final class ThreadFailure: Sendable {
    let error = Mutex<(any Error)?>(nil)
}
