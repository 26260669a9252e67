import Foundation
import TestSupport
import Testing

/// Devices, a bad courier, and a seed: see ``SimulatedFolder``.
///
/// `SIMULATION_SEEDS=17,` runs that seed, `=17,25` those, `=1000` a thousand new ones.
@Suite(.serialized) struct ConvergenceTests {
    @Test func whateverHappensToAFolderOfThreeDevicesTheySettleOnEqualValuesAndLoseNothing() async {
        await run(seeds: Self.given ?? Array(1...200), .init())
    }

    @Test func manyDevicesSettleToo() async {
        var recipe = SimulatedFolder.Recipe()
        recipe.devices = 6
        recipe.steps = 120
        await run(seeds: Self.given ?? Array(1001...1004), recipe)
    }

    @Test func storesOnDiskAndValuesOfManyPiecesSettleToo() async {
        var recipe = SimulatedFolder.Recipe()
        recipe.onDisk = true
        recipe.steps = 30
        recipe.hasHugeValues = true
        await run(seeds: Self.given ?? Array(2001...2003), recipe)
    }

    private static let given: [UInt64]? = ProcessInfo.processInfo.environment["SIMULATION_SEEDS"].map { text in
        let numbers = text.split(separator: ",").compactMap { UInt64($0) }
        if text.contains(",") { return numbers }
        return (0..<(numbers.first ?? 0)).map { _ in UInt64.random(in: 1...UInt64(UInt32.max)) }
    }

    private func run(seeds: [UInt64], _ recipe: SimulatedFolder.Recipe, name: String = #function) async {
        var rounds = 0
        var versions = 0
        let start = ContinuousClock.now
        for seed in seeds {
            do {
                let simulation = try await SimulatedFolder.run(seed: seed, recipe)
                rounds = max(rounds, simulation.rounds)
                versions += simulation.versions
            } catch {
                let replay = "SIMULATION_SEEDS=\(seed), swift test --filter ConvergenceTests/\(name.dropLast(2))"
                Issue.record("\(replay)\n\(error)")
            }
        }
        print("\(seeds.count) seeds, \(versions) versions, at most \(rounds) rounds, \(ContinuousClock.now - start)")
    }
}
