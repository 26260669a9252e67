import Foundation
import TestSupport
import Testing

/// Devices, a bad courier, and a seed: see ``SimulatedFolder``.
///
/// `SIMULATION_SEED=17` runs that seed alone, `SIMULATION_SEEDS=5000` so many new ones. What fails is made short and printed as
/// a script, which a test can run. Many more run with `swift run -c release Benchmarks simulate --seeds N`.
@Suite struct ConvergenceTests {
    /// In parts, of which several run at once.
    private static let parts = 8

    @Test(arguments: 0..<parts)
    func whateverHappensToAFolderOfAFewDevicesTheySettleOnEqualValuesAndLoseNothing(part: Int) async {
        await run(seeds: 1...1_000, part: part, of: Self.parts, .init())
    }

    @Test func manyDevicesAndLongStoriesSettleToo() async {
        await run(seeds: 1_001...1_004, .long)
    }

    @Test func storesOnDiskAndValuesOfManyPiecesSettleToo() async {
        let mix = SimulationMix.with {
            $0.hasHugeValues = true
            $0.isOnDisk = true
        }
        await run(seeds: 2_001...2_003, mix)
    }

    private static func given(_ seeds: ClosedRange<UInt64>, part: Int, of parts: Int) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SIMULATION_SEED"].flatMap(UInt64.init) { return part == 0 ? [seed] : [] }
        guard let count = environment["SIMULATION_SEEDS"].flatMap(Int.init) else {
            return Array(seeds).enumerated().filter { $0.offset % parts == part }.map(\.element)
        }
        return (part..<max(part, count)).filter { $0 % parts == part }.map { _ in
            UInt64.random(in: 1...UInt64(UInt32.max))
        }
    }

    private func run(
        seeds: ClosedRange<UInt64>, part: Int = 0, of parts: Int = 1, _ mix: SimulationMix, name: String = #function
    ) async {
        var (rounds, versions) = (0, 0)
        let start = ContinuousClock.now
        let seeds = Self.given(seeds, part: part, of: parts)
        for seed in seeds {
            let finding = await SimulationFinding.find(seed: seed, mix) { simulation in
                rounds = max(rounds, simulation.rounds)
                versions += simulation.versions
            }
            guard let finding else { continue }
            Issue.record(
                "SIMULATION_SEED=\(seed) swift test --filter ConvergenceTests/\(name.prefix { $0 != "(" })\n\(finding)")
        }
        print("\(seeds.count) seeds, \(versions) versions, at most \(rounds) rounds, \(ContinuousClock.now - start)")
    }
}
