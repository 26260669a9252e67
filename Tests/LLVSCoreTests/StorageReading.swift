import LLVSCore

extension Storage {
    /// The keys of a range, in the order of the scan.
    func keys(_ zone: KeyedZone, from: [UInt8] = [], before: [UInt8]? = nil) throws -> [[UInt8]] {
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
    func rows(_ zone: RowZone, from: Int64 = 0) throws -> [(id: Int64, bytes: [UInt8])] {
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
