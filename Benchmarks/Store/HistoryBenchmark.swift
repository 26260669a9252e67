import FileCoordination
import Foundation
import LLVSCore

/// Opening a store with a long history, and walking in it.
final class HistoryBenchmark {
    private let directory: URL
    private let versions: Int
    private let raw: RawSQLite

    init(directory: URL, versions: Int) throws {
        self.directory = directory
        self.versions = versions
        raw = try RawSQLite(at: directory.appending(path: "history.sqlite").path)
    }

    func run(_ report: (String) -> Void) throws {
        let path = directory.appending(path: "history").path
        let store = try Store.create(at: path)
        let line = HistoryLine(store)
        try line.grow(to: versions)
        report(try ancestors(line).line)
        try store.close()
        report(try opening(path, line.tip).line)
        try OwnProcess(part: Self.openingPart, arguments: [path, line.tip.description]).run()
        report(try rounds())
    }

    private func opening(_ path: String, _ version: Version.ID) throws -> Measurement {
        let database = directory.appending(path: "opened.sqlite").path
        do {
            let raw = try RawSQLite(at: database)
            try raw.put(HistoryLine.id.utf8, BenchmarkValues.body(0))
        }
        return try .median(
            "open: \(versions) versions, read one value", count: 1, rounds: 21,
            ours: { _ in
                let store = try Store.open(at: path)
                _ = try store.bytes(of: HistoryLine.id, at: version)
                try store.close()
            },
            floor: { _ in _ = try RawSQLite(existing: database).get(HistoryLine.id.utf8) })
    }

    static let openingPart = "opening"

    /// In a process of its own: what a program that only reads one value needs.
    static func open(_ path: String, _ version: String) throws {
        let store = try Store.open(at: path)
        _ = try store.bytes(of: HistoryLine.id, at: try Version.ID(version))
        try store.close()
        print("open, read one value: memory".padded(to: 44) + " \(try OwnProcess.peakMemory())")
    }

    /// The common ancestor of two versions that are 5,000 versions away from it.
    private func ancestors(_ line: HistoryLine) throws -> Measurement {
        let steps = 5_000
        let base = line.tip
        let sides = try (0..<2).map { side in try line.side(of: steps, from: base, saying: side) }
        try raw.makeForks(of: steps)
        return try .median(
            "common ancestor, \(steps) versions back", count: 1,
            ours: { _ in
                let found = try line.store.commonAncestors(sides[0], sides[1])
                precondition(found.map(\.id) == [base])
            },
            floor: { [raw] _ in
                let found = try raw.lastCommonAncestor(2 * steps, 2 * steps + 1)
                precondition(found == 1)
            })
    }

    /// 2,000 rounds of a branch of two, a branch of one and their merge: each asks for the common ancestor.
    private func rounds() throws -> String {
        let store = try Store.create(at: directory.appending(path: "rounds").path)
        let line = HistoryLine(store)
        try line.grow(to: 1)
        let clock = ContinuousClock()
        var halves: [Duration] = [.zero, .zero]
        for round in 0..<2_000 {
            let base = line.tip
            let long = try line.side(of: 2, from: base, saying: 0)
            let short = try line.side(of: 1, from: base, saying: 1)
            halves[round / 1_000] += try clock.measure {
                let found = try store.commonAncestors(long, short)
                precondition(found.map(\.id) == [base])
            }
            try line.join(long, short)
        }
        try store.close()
        let growth = halves[1] / halves[0]
        return "2,000 unequal rounds: second half to first".padded(to: 44)
            + " \((halves[1] / .microseconds(1_000)).rounded()) µs a query, \((growth * 100).rounded() / 100)"
    }
}
