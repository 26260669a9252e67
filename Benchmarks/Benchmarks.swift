import Foundation

/// Figures beside a bare floor measured in the same run: `swift run -c release Benchmarks [GROUP [NUMBER...]]`.
@main
struct Benchmarks {
    static func main() async throws {
        if let own = OwnProcess.begun { return try await own.perform() }
        let words = CommandLine.arguments.dropFirst()
        let numbers = words.compactMap { Int($0) }
        let groups = BenchmarkGroup.all.filter { words.isEmpty || words.contains($0.name) }
        guard !groups.isEmpty else {
            let names = BenchmarkGroup.all.map(\.name).joined(separator: ", ")
            print("usage: Benchmarks [GROUP [NUMBER...]]; groups: \(names)")
            exit(2)
        }
        for group in groups { try await group.runInScratch(numbers) }
    }
}

extension OwnProcess {
    fileprivate func perform() async throws {
        switch (part, arguments.count) {
        case (BootstrapBenchmark.part, 2): try await BootstrapBenchmark.setUp(arguments[0], arguments[1])
        case (HistoryBenchmark.openingPart, 2): try HistoryBenchmark.open(arguments[0], arguments[1])
        default: preconditionFailure("no part \(part) with \(arguments)")
        }
    }
}
