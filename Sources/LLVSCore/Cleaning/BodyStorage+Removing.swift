extension BodyStorage {
    /// Removes a body that nothing refers to, with its chunks. One that is not there is not missed.
    static func remove(_ row: Int64, from writer: any StorageWriter) throws {
        guard try writer.row(row, in: StoreZones.bodies) != nil else { return }
        if case .chunked(let blob, let size) = try body(row, in: writer) {
            let count = (size + UInt64(chunkSize) - 1) / UInt64(chunkSize)
            for index in 0..<Int64(count) { try writer.removeRow(blob << 24 | index, in: StoreZones.chunks) }
        }
        try writer.removeRow(row, in: StoreZones.bodies)
    }
}
