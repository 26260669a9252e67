import LLVSCore

extension Retrieval {
    /// Reads the pieces of a lane that this store has left. The store has their bytes, so nothing else would show that one is
    /// spoiled, to everyone but itself.
    mutating func prove() throws {
        for digest in try store.inspect({ try zones.unprovedPieces(in: $0.reader) }) {
            try Task.checkCancellation()
            if try find(digest) == nil { continue }
            try store.exchange(now: now) {
                try $0.writer.remove(zones.key(digest.bytes), in: ExchangeZones.unproved)
            }
        }
    }
}
