import Dispatch
import Synchronization

/// Hashes and writes chunks on a thread of its own while the next ones are packed; a few wait at most.
final class ChunkWriting {
    private let folder: SnapshotFolder
    private let queue = DispatchQueue(label: "snapshot: writing")
    private var pending: [Promised<SnapshotManifest.Chunk>] = []
    private var chunks: [SnapshotManifest.Chunk] = []

    init(_ folder: SnapshotFolder) {
        self.folder = folder
    }

    /// Hands over a chunk. Throws if an earlier one could not be written.
    func add(_ bytes: [UInt8]) throws {
        let promised = Promised<SnapshotManifest.Chunk>()
        pending.append(promised)
        queue.async { [folder] in
            promised.keep {
                let digest = SHA256.hash(bytes)
                try folder.put(bytes, digest)
                return SnapshotManifest.Chunk(size: bytes.count, digest: digest)
            }
        }
        if pending.count > 2 { chunks.append(try pending.removeFirst().get()) }
    }

    /// All chunks, which are written.
    func finish() throws -> [SnapshotManifest.Chunk] {
        while !pending.isEmpty { chunks.append(try pending.removeFirst().get()) }
        return chunks
    }

    /// Waits until nothing is written any more, whatever became of it.
    func wait() { queue.sync {} }
}

extension SnapshotFolder {
    /// Calls `body` with the verified bytes of each chunk in order, while the next ones are read and hashed on a thread of
    /// their own. When it returns or throws, nothing is read any more.
    func forEachChunk(_ chunks: [SnapshotManifest.Chunk], _ body: ([UInt8]) throws -> Void) throws {
        let queue = DispatchQueue(label: "snapshot: reading")
        defer { queue.sync {} }
        var pending: [Promised<[UInt8]>] = []
        for chunk in chunks {
            let promised = Promised<[UInt8]>()
            pending.append(promised)
            queue.async { promised.keep { try bytes(of: chunk) } }
            if pending.count > 2 { try body(try pending.removeFirst().get()) }
        }
        while !pending.isEmpty { try body(try pending.removeFirst().get()) }
    }
}

/// What another thread makes, once.
private final class Promised<Made: Sendable>: Sendable {
    private let isKept = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<Made, any Error>?>(nil)

    func keep(_ make: () throws -> Made) {
        let made = Result { try make() }
        result.withLock { $0 = made }
        isKept.signal()
    }

    func get() throws -> Made {
        isKept.wait()
        guard let made = result.withLock({ $0 }) else { preconditionFailure("A promise was asked twice.") }
        return try made.get()
    }
}
