import FileCoordination
import Foundation
import LLVSCore
import TestSupport

/// A store with very many versions of one value, built in batches through the store's own admission, which checks each.
final class LongHistory {
    /// How the versions stand on each other.
    enum Shape: String, CaseIterable, Sendable {
        /// One line.
        case linear
        /// Rounds of a branch of two, a branch of one, and their merge.
        case branchy
        /// Two lines that merge each other's last versions in every step.
        case crissCross
    }

    private struct Made {
        let id: Version.ID
        let generation: UInt64
        let stamp: Stamp
        let content: Digest
    }

    static let id: Value.ID = "n"

    private let store: Store
    private let shape: Shape
    private var batch: [(VersionRecord, [UInt8])] = []
    private var tips: [Made] = []
    private(set) var count = 0
    /// Ids of versions among the last 20,000, by their numbers.
    private(set) var landmarks: [Int: Version.ID] = [:]

    init(_ shape: Shape, at path: String, count: Int) throws {
        self.shape = shape
        store = try Store.create(at: path)
        while self.count < count {
            try grow()
            if batch.count >= 5_000 { try flush() }
            if self.count > count - 20_000, let last = tips.last { landmarks[self.count] = last.id }
        }
        try flush()
        try store.close()
    }

    private func grow() throws {
        switch shape {
        case .linear: tips = [try make(on: tips)]
        case .branchy:
            let (one, other) = (try make(on: tips), try make(on: tips))
            tips = [try make(on: [try make(on: [one]), other])]
        case .crissCross:
            let pair = tips.count == 2 ? tips : [try make(on: []), try make(on: [])]
            tips = [try make(on: pair), try make(on: pair.reversed())]
        }
    }

    /// A version on one or two others, the first of which is the basis.
    private func make(on parents: [Made]) throws -> Made {
        count += 1
        let bytes = Array("\(count)".utf8)
        let content = SHA256.hash(bytes)
        let entry = ChangeList.Entry(
            id: Self.id, operation: parents.isEmpty ? .insert : .update, contentHash: content,
            replacedHash: parents.first?.content ?? .zero)
        let stamp = Stamp.authored(now: StoreBuilder.now, after: parents.map(\.stamp))
        let record = try VersionRecord(
            kind: .authored, parents: parents.map(\.id), basis: parents.first?.id ?? .root,
            generation: (parents.map(\.generation).max() ?? 0) + 1, stamp: stamp, time: StoreBuilder.now,
            metadata: .empty, changes: try ChangeList([entry]))
        batch.append((record, bytes))
        return Made(id: record.id, generation: record.version.generation, stamp: stamp, content: content)
    }

    private func flush() throws {
        let batch = batch
        self.batch = []
        try store.exchange(now: StoreBuilder.now) { transaction in
            for (record, bytes) in batch {
                try transaction.admit(ArrivingVersion(record: record) { _ in .bytes(bytes) })
            }
        }
    }
}
