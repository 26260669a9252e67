import LLVSCore

private let zone = RowZone("rows")

/// What every storage promises of numbered rows.
enum RowClaims {
    static let all = [
        numbering, appendAfterRemoval, setsRows, setsManyRows, greatestNumber, scans, picks, sameName, largeRows,
    ]

    static let numbering = StorageClaim("rows are numbered from 1") { storage in
        try storage.read { try expect($0.lastRow(in: zone) == 0) }
        let ids = try storage.write { writer in try (0..<300).map { try writer.append([UInt8($0 & 255)], to: zone) }
        }
        try expect(ids == (1...300).map(Int64.init))
        try storage.read { reader in
            try expect(reader.lastRow(in: zone) == 300)
            try expect(reader.row(1, in: zone) == [0])
            try expect(reader.row(300, in: zone) == [43])
            for absent in [0, 301, -1, Int64.max, Int64.min] { try expect(reader.row(absent, in: zone) == nil) }
        }
    }

    static let appendAfterRemoval = StorageClaim("after the last row was removed, its number is given again") {
        storage in
        try storage.write { writer in
            for _ in 0..<3 { _ = try writer.append([], to: zone) }
            try writer.removeRow(2, in: zone)
            try expect(writer.append([1], to: zone) == 4)
            try writer.removeRow(4, in: zone)
            try writer.removeRow(3, in: zone)
            try writer.removeRow(77, in: zone)
            try expect(writer.lastRow(in: zone) == 1)
            try expect(writer.append([2], to: zone) == 2)
        }
        try expect(storage.rows(zone).map(\.id) == [1, 2])
    }

    static let setsRows = StorageClaim("a row can be set anew, replaced and far ahead") { storage in
        try storage.write { writer in
            try writer.setRow([9], at: 9, in: zone)
            try writer.setRow([1 << 5], at: 1 << 40, in: zone)
            try writer.setRow([10], at: 9, in: zone)
            try expect(writer.append([], to: zone) == 1 << 40 + 1)
        }
        let rows = try storage.rows(zone)
        try expect(rows.map(\.id) == [9, 1 << 40, 1 << 40 + 1])
        try expect(rows.map(\.bytes) == [[10], [32], []])
    }

    static let setsManyRows = StorageClaim(
        "rows that are set together are set in that order, replaced and empty ones too"
    ) {
        storage in
        let bytes = [UInt8](0...255)
        let ids = (1...100).map(Int64.init) + [7, 3, 1 << 40]
        try storage.write { writer in
            _ = try writer.append([1, 2, 3], to: zone)
            try writer.setRows(ids.map { ($0, bytes[..<Int($0 % 3)]) } + [(5, bytes[200...])], in: zone)
            try writer.setRows([], in: RowZone("nowhere"))
            try expect(writer.append([], to: zone) == 1 << 40 + 1)
        }
        let rows = try storage.rows(zone)
        try expect(rows.map(\.id) == (1...100).map(Int64.init) + [1 << 40, 1 << 40 + 1])
        for (id, found) in rows.dropLast() {
            try expect(found == (id == 5 ? Array(200...255) : Array(0..<UInt8(id % 3))))
        }
    }

    static let greatestNumber = StorageClaim("the greatest number is refused, not overflowed") { storage in
        try storage.write { try $0.setRow([], at: Int64.max - 1, in: zone) }
        try expect(.damaged) { try storage.write { _ = try $0.append([], to: zone) } }
        try expect(storage.rows(zone).map(\.id) == [Int64.max - 1])
    }

    static let picks = StorageClaim("rows that are asked for together come in that order, missing ones as nothing") {
        storage in
        try storage.write { writer in
            for number in 1...700 { _ = try writer.append([UInt8(number & 255)], to: zone) }
            for gone: Int64 in [2, 300, 699, 700] { try writer.removeRow(gone, in: zone) }
            try writer.setRow([7], at: Int64.max - 1, in: zone)
        }
        let near = Array(Int64(1)...703)
        let far = [Int64.max - 2, Int64.max - 1, Int64.max, Int64.min, 0, 5, 5, 4, 3, 2, 1, 6, 7, 9]
        let lists = [near, far, Array(near.reversed()), [], [700], [698, 699, 700, 701]]
        for ids in lists {
            try storage.read { reader in
                var found: [[UInt8]?] = []
                try reader.rows(ids, in: zone) { id, bytes in
                    try expect(id == ids[found.count])
                    // The caller may use the transaction.
                    try expect(reader.row(id, in: zone) == bytes)
                    found.append(bytes)
                    return true
                }
                try expect(found.count == ids.count)
            }
        }
        try storage.read { reader in
            var seen = 0
            try reader.rows(near, in: zone) { _, _ in
                seen += 1
                return seen < 20
            }
            try expect(seen == 20)
            try reader.rows([1, 2], in: RowZone("nowhere")) { _, bytes in
                seen += 1
                try expect(bytes == nil)
                return true
            }
            try expect(seen == 22)
        }
        for id: Int64 in [1, 2, 701, -3] {
            try expect(storage.latestRow(id, in: zone) == storage.read { try $0.row(id, in: zone) })
        }
    }

    static let scans = StorageClaim("a scan of rows begins where asked, ascends and stops when told") { storage in
        try storage.write { writer in
            for number in 1...3_000 { _ = try writer.append([UInt8(number & 255)], to: zone) }
        }
        try expect(storage.rows(zone).map(\.id) == (1...3_000).map(Int64.init))
        try expect(storage.rows(zone, from: 2_999).map(\.id) == [2_999, 3_000])
        try expect(storage.rows(zone, from: Int64.min).count == 3_000)
        try expect(storage.rows(zone, from: 3_001).isEmpty)
        var seen = 0
        try storage.read {
            try $0.scanRows(zone, from: 5) { id, bytes in
                try expect(bytes == [UInt8(id & 255)])
                seen += 1
                return seen < 20
            }
        }
        try expect(seen == 20)
    }

    static let sameName = StorageClaim("a keyed zone and a row zone of one name are two zones") { storage in
        try storage.write { writer in
            _ = try writer.append([1], to: RowZone("same"))
            try writer.put([2], for: [], in: KeyedZone("same"))
        }
        try storage.read { reader in
            try expect(reader.row(1, in: RowZone("same")) == [1])
            try expect(reader.value([], in: KeyedZone("same")) == [2])
        }
    }

    static let largeRows = StorageClaim("large and empty rows come back whole") { storage in
        let large = [UInt8](repeating: 7, count: 3 << 20)
        try storage.write { writer in
            for _ in 0..<4 { _ = try writer.append(large, to: zone) }
            _ = try writer.append([], to: zone)
        }
        try expect(
            try storage.rows(zone).map(\.bytes.count) == [large.count, large.count, large.count, large.count, 0])
        try storage.read { try expect($0.row(3, in: zone) == large) }
    }
}
