import Foundation

/// Figures beside a bare floor measured in the same run: `swift run -c release Benchmarks [GROUP [NUMBER...]]`.
@main
struct Benchmarks {
    static func main() async throws {
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
