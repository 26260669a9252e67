import Dispatch
import LLVSCore
import Synchronization

private let keys = KeyedZone("keys")
private let rows = RowZone("rows")
private struct Stop: Error, Equatable {}

/// What every storage promises of transactions.
enum TransactionClaims {
    static let all = [
        rollsBack, rollsBackZones, absentZones, seesOwnWrites, usesTransactionInScan, scanThrows, snapshots, latest,
        readsBesideWriter, marks, countsUp, returnsResults, soundAndSynced, closed,
    ]

    static let rollsBack = StorageClaim("a throw leaves nothing of a transaction") { storage in
        try storage.write { writer in
            try writer.put([1], for: [1], in: keys)
            _ = try writer.append([1], to: rows)
        }
        try expectThrows(Stop()) {
            try storage.write { writer in
                try writer.put([2], for: [1], in: keys)
                try writer.put([2], for: [2], in: keys)
                try writer.remove([1], in: keys)
                _ = try writer.append([2], to: rows)
                try writer.setRow([3], at: 1, in: rows)
                throw Stop()
            }
        }
        try expect(storage.keys(keys) == [[1]])
        try expect(storage.rows(rows).map(\.bytes) == [[1]])
    }

    static let rollsBackZones = StorageClaim("a zone made by a transaction that failed can be made again") { storage in
        for _ in 0..<2 {
            try expectThrows(Stop()) {
                try storage.write { writer in
                    try writer.put([1], for: [1], in: keys)
                    try expect(writer.append([1], to: rows) == 1)
                    throw Stop()
                }
            }
            try expect(storage.keys(keys) == [])
            try storage.write { writer in
                try expect(writer.value([1], in: keys) == nil)
                try writer.remove([1], in: keys)
                try expect(writer.lastRow(in: rows) == 0)
            }
        }
        try storage.write { writer in
            try writer.put([1], for: [1], in: keys)
            try expect(writer.append([1], to: rows) == 1)
        }
        try expect(storage.keys(keys) == [[1]])
    }

    static let marks = StorageClaim("the change mark is another one after each commit, or there is none") { storage in
        var marks: Set<StorageChangeMark> = []
        for step: UInt8 in 0..<20 {
            guard let mark = try storage.changeMark() else { return }
            try expect(marks.insert(mark).inserted, "the mark of commit \(step) is one of before")
            try storage.write { try $0.put([step], for: [1], in: keys) }
        }
    }

    static let absentZones = StorageClaim("zones that are not there are empty") { storage in
        func expectEmpty(_ reader: any StorageReader) throws {
            try expect(reader.value([1], in: keys) == nil)
            try reader.scan(keys, from: [], before: nil) { _, _ in throw Stop() }
            try reader.scan(keys, from: [], before: [9]) { _, _ in throw Stop() }
            try expect(reader.row(1, in: rows) == nil)
            try expect(reader.lastRow(in: rows) == 0)
            try reader.scanRows(rows, from: 0) { _, _ in throw Stop() }
        }
        try storage.read(expectEmpty)
        try storage.write { writer in
            try writer.removeRow(1, in: rows)
            try writer.remove([1], in: keys)
            try expectEmpty(writer)
        }
        // A reader that has seen it absent sees it when it comes.
        try storage.write { try $0.put([1], for: [1], in: keys) }
        try expect(storage.keys(keys) == [[1]])
    }

    static let seesOwnWrites = StorageClaim("a transaction sees what it wrote") { storage in
        try storage.write { writer in
            try writer.put([1], for: [1], in: keys)
            try writer.put([2], for: [2], in: keys)
            try writer.remove([1], in: keys)
            let id = try writer.append([5], to: rows)
            try expect(writer.value([2], in: keys) == [2])
            try expect(writer.row(id, in: rows) == [5])
            var seen: [[UInt8]] = []
            try writer.scan(keys, from: [], before: nil) { key, _ in
                seen.append(key)
                return true
            }
            try expect(seen == [[2]])
        }
    }

    static let usesTransactionInScan = StorageClaim("a scan's body may read, scan and write in the same transaction") {
        storage in
        let copy = KeyedZone("copy")
        try storage.write { writer in
            for key: UInt8 in 0..<100 { try writer.put([key], for: [key], in: keys) }
        }
        try storage.write { writer in
            try writer.scan(keys, from: [], before: nil) { key, value in
                try expect(writer.value(key, in: keys) == value)
                var after: [UInt8]?
                try writer.scan(keys, from: key + [0], before: nil) { next, _ in
                    after = next
                    return false
                }
                try expect(after == (key[0] < 99 ? [key[0] + 1] : nil))
                try writer.put(value, for: key, in: copy)
                _ = try writer.append(value, to: rows)
                try writer.scanRows(rows, from: Int64(key[0]) + 1) { id, bytes in
                    try expect(id == Int64(key[0]) + 1 && bytes == value)
                    return true
                }
                return true
            }
        }
        try expect(storage.keys(copy).count == 100)
        try expect(storage.rows(rows).count == 100)
    }

    static let scanThrows = StorageClaim("an error of a scan's body comes through") { storage in
        try storage.write { try $0.put([1], for: [1], in: keys) }
        try expectThrows(Stop()) {
            try storage.read { try $0.scan(keys, from: [], before: nil) { _, _ in throw Stop() } }
        }
        try expect(storage.keys(keys) == [[1]])
    }

    static let snapshots = StorageClaim("a reader keeps its snapshot while a writer commits") { storage in
        try storage.write { try $0.put([1], for: [1], in: keys) }
        try storage.read { reader in
            // Before the first read too: the snapshot is of the moment that the body began.
            try onOwnThread { try storage.write { try $0.put([2], for: [1], in: keys) } }
            try expect(reader.value([1], in: keys) == [1])
            try onOwnThread { try storage.write { try $0.put([3], for: [3], in: keys) } }
            try expect(reader.value([1], in: keys) == [1])
            try expect(reader.value([3], in: keys) == nil)
        }
        try expect(storage.keys(keys) == [[1], [3]])
    }

    static let latest = StorageClaim("a reader of the latest sees what was committed, and keeps one state of it") {
        storage in
        try storage.write { try $0.put([1], for: [1], in: keys) }
        try storage.readLatest { reader in
            try expect(reader.value([1], in: keys) == [1])
            try onOwnThread {
                try storage.write { writer in
                    try writer.put([2], for: [1], in: keys)
                    try writer.put([3], for: [3], in: keys)
                }
            }
            try expect(reader.value([1], in: keys) == [1])
            try expect(reader.value([3], in: keys) == nil)
        }
        try expect(storage.readLatest { try $0.value([1], in: keys) } == [2])
    }

    static let readsBesideWriter = StorageClaim("readers do not wait for a writer that is at work") { storage in
        try storage.write { writer in
            try writer.put([1], for: [1], in: keys)
            try onOwnThread {
                try storage.read { try expect($0.value([1], in: keys) == nil) }
            }
        }
        try storage.read { try expect($0.value([1], in: keys) == [1]) }
    }

    static let countsUp = StorageClaim("threads that count up lose no step, and readers see every step whole") {
        storage in
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                for step in 0..<50 {
                    try storage.write { writer in
                        let count =
                            try writer.value([0], in: keys)?.map(Int.init).reduce(0) { $0 << 8 | $1 } ?? 0
                        try writer.put([UInt8((count + 1) >> 8), UInt8((count + 1) & 255)], for: [0], in: keys)
                        _ = try writer.append([UInt8(thread), UInt8(step)], to: rows)
                    }
                    try storage.read { reader in
                        let count =
                            try reader.value([0], in: keys)?.map(Int.init).reduce(0) { $0 << 8 | $1 } ?? 0
                        let last = try Int(reader.lastRow(in: rows))
                        if last != count { failures.withLock { $0.append("\(last) rows at \(count)") } }
                    }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        try expect(failures.withLock { $0 } == [])
        try expect(storage.rows(rows).count == 400)
    }

    static let returnsResults = StorageClaim("a write hands on what its body returns") { storage in
        try expect(storage.write { try $0.append([1], to: rows) } == 1)
        try expect(storage.read { try $0.row(1, in: rows) } == [1])
    }

    static let soundAndSynced = StorageClaim("a sound storage has nothing to report, and can be synced at any time") {
        storage in
        try storage.sync()
        try storage.write { try $0.put([1], for: [1], in: keys) }
        try storage.sync()
        try storage.sync()
        try expect(storage.checkIntegrity() == [])
        try expect(storage.keys(keys) == [[1]])
    }

    static let closed = StorageClaim("after closing, every call says so") { storage in
        try storage.write { try $0.put([1], for: [1], in: keys) }
        try storage.close()
        try storage.close()
        let calls: [() throws -> Void] = [
            { try storage.read { _ in } },
            { try storage.readLatest { _ in } },
            { try storage.write { _ in } },
            { try storage.sync() },
            { _ = try storage.checkIntegrity() },
        ]
        for call in calls {
            try expect(.closed) { try call() }
        }
    }
}
