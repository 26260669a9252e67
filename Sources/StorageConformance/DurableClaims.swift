import LLVSCore

private let keys = KeyedZone("keys")
private let rows = RowZone("rows")

/// What storages promise that outlive the object.
enum DurableClaims {
    static let all = [reopens, rollsBack, seesOthers, marksOthers, snapshotOfOther, continues]

    static let reopens = DurableStorageClaim("what was committed is there after opening again") { open in
        for step in 0..<4 {
            let storage = try open()
            try expect(storage.rows(rows).map(\.bytes) == (0..<step).map { [UInt8($0)] })
            try storage.write { writer in
                _ = try writer.append([UInt8(step)], to: rows)
                try writer.put([UInt8(step)], for: [1], in: keys)
            }
            if step == 1 { try storage.sync() }
            try storage.close()
        }
        let storage = try open()
        try expect(storage.read { try $0.value([1], in: keys) } == [3])
        try expect(storage.checkIntegrity() == [])
        try storage.close()
    }

    static let rollsBack = DurableStorageClaim("what was rolled back is not there after opening again") { open in
        struct Stop: Error, Equatable {}
        let first = try open()
        try first.write { try $0.put([1], for: [1], in: keys) }
        try expectThrows(Stop()) {
            try first.write { writer in
                // Large enough to be written before the end, wherever that is done.
                for row in 0..<40 { _ = try writer.append([UInt8](repeating: UInt8(row), count: 100_000), to: rows) }
                try writer.put([2], for: [1], in: keys)
                throw Stop()
            }
        }
        try first.close()
        let second = try open()
        try expect(second.keys(keys) == [[1]])
        try expect(second.read { try $0.value([1], in: keys) } == [1])
        try expect(second.rows(rows).isEmpty)
        try expect(second.checkIntegrity() == [])
        try second.close()
    }

    static let seesOthers = DurableStorageClaim("a commit is seen by the next read of all that have it open") { open in
        let storages = [try open(), try open(), try open()]
        for step in 0..<30 {
            let id = try storages[step % 3].write { try $0.append([UInt8(step)], to: rows) }
            try expect(id == Int64(step + 1), "row \(id) at step \(step)")
            for storage in storages { try expect(storage.read { try $0.row(id, in: rows) } == [UInt8(step)]) }
        }
        for storage in storages { try storage.close() }
    }

    static let marksOthers = DurableStorageClaim("a commit changes the change mark of all that have it open") { open in
        let storages = [try open(), try open()]
        var before = try storages.map { try $0.changeMark() }
        for step in 0..<20 {
            try storages[step % 2].write { _ = try $0.append([UInt8(step)], to: rows) }
            let now = try storages.map { try $0.changeMark() }
            for (old, new) in zip(before, now) {
                try expect(old == nil || old != new, "a mark stays as it was after commit \(step)")
            }
            before = now
        }
        for storage in storages { try storage.close() }
    }

    static let snapshotOfOther = DurableStorageClaim("a reader keeps its snapshot while another commits") { open in
        let (reading, writing) = (try open(), try open())
        try writing.write { try $0.put([1], for: [1], in: keys) }
        try reading.read { reader in
            for step: UInt8 in 2..<20 {
                try writing.write { try $0.put([step], for: [1], in: keys) }
                try expect(reader.value([1], in: keys) == [1])
            }
        }
        try expect(reading.read { try $0.value([1], in: keys) } == [19])
        for storage in [reading, writing] { try storage.close() }
    }

    static let continues = DurableStorageClaim("one that is closed does not disturb another on the same storage") {
        open in
        let (first, second) = (try open(), try open())
        try first.write { try $0.put([1], for: [1], in: keys) }
        try first.close()
        try second.write { try $0.put([2], for: [2], in: keys) }
        try expect(second.keys(keys) == [[1], [2]])
        try second.sync()
        try expect(second.checkIntegrity() == [])
        try second.close()
    }
}
