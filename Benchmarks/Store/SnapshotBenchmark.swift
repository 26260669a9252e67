import FileCoordination
import Foundation
import LLVSCore

/// Snapshots beside a copy of the same bytes, which is flushed as they are.
struct SnapshotBenchmark {
    let directory: URL
    let keys: Int

    func run() throws -> [Measurement] {
        let store = try Store.create(at: path("original"))
        let changes = try (0..<keys).map { number in
            Value.Change.insert(
                Value(
                    id: try Value.ID(UUID().uuidString),
                    content: .bytes((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) })))
        }
        _ = try store.makeVersion(basedOn: .root, changes: changes)
        // So that all is in the one file that is copied.
        try store.close()
        let copied = try Store.open(at: path("original"))
        let database = path("original/store.sqlite")
        let results = [
            try Measurement.median(
                "snapshot: write", count: keys,
                ours: { try copied.writeSnapshot(to: path("snapshot \($0)")) },
                floor: { try copy([database], to: path("copy \($0)")) }),
            try Measurement.median(
                "snapshot: restore", count: keys,
                ours: { try Store.restore(snapshot: path("snapshot 0"), to: path("restored \($0)")) },
                floor: { try copy(chunks(), to: path("second copy \($0)")) }),
            try Measurement.median(
                "snapshot: write again, nothing new", count: keys,
                ours: { _ in try copied.writeSnapshot(to: path("snapshot 0")) },
                floor: { try copy([database], to: path("third copy \($0)")) }),
        ]
        try copied.close()
        return results
    }

    private func path(_ name: String) -> String { directory.appending(path: name).path }

    private func chunks() throws -> [String] {
        try LocalFileSystem().list(path("snapshot 0")).compactMap(\.name).filter { $0.hasSuffix(".chunk") }
            .map { path("snapshot 0/" + $0) }
    }

    private func copy(_ sources: [String], to target: String) throws {
        let files = LocalFileSystem()
        let output = try files.open(target, [.write, .create, .exclusive])
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4_096)
        defer { buffer.deallocate() }
        for source in sources {
            let input = try files.open(source, [.read])
            while case let count = try files.read(input, into: buffer), count > 0 {
                var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                while !rest.isEmpty {
                    rest = UnsafeRawBufferPointer(rebasing: rest[(try files.write(rest, to: output))...])
                }
            }
            try files.close(input)
        }
        try files.sync(output)
        try files.close(output)
    }
}
