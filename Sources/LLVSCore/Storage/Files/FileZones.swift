/// Where everything is: the index of a log, in memory, with value semantics.
struct FileZones: Sendable {
    private(set) var keyed: [KeyedZone: ChunkedMap<OrderedBytes, FileExtent>] = [:]
    private(set) var rows: [RowZone: ChunkedMap<Int64, FileExtent>] = [:]
    /// What a log with nothing else in it would take, about.
    private(set) var liveBytes: Int64 = 0

    mutating func apply(_ operations: [FileOperation]) {
        for operation in operations { apply(operation.place, operation.extent) }
    }

    mutating func apply(_ place: FileOperation.Place, _ extent: FileExtent?) {
        let old: FileExtent?
        let cost: Int64
        switch place {
        case .key(let key, let zone):
            cost = Int64(key.bytes.count) + 11
            if let extent {
                old = keyed[zone, default: ChunkedMap()].set(extent, for: key)
            } else {
                old = keyed[zone]?.remove(key)
            }
        case .row(let id, let zone):
            cost = 15
            if let extent {
                old = rows[zone, default: ChunkedMap()].set(extent, for: id)
            } else {
                old = rows[zone]?.remove(id)
            }
        }
        if let extent { liveBytes += cost + extent.stored }
        if let old { liveBytes -= cost + old.stored }
    }
}
