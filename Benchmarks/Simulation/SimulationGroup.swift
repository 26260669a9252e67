import Foundation
import TestSupport

extension BenchmarkGroup {
    /// Simulated folders, as in the tests but as many as one likes: `simulate --seeds 100000 --from 1`; one in fifty is long, or
    /// with `--long 1` each. The first seed that breaks a promise is made short, printed, and ends the run with exit 1.
    static let simulate = BenchmarkGroup(name: "simulate") { _, _ in
        let count = SimulationOptions.value(of: "--seeds") ?? 1_000
        let first = SimulationOptions.value(of: "--from") ?? 1
        // Repacking and the like need time to happen, and most faults do not.
        let share = max(SimulationOptions.value(of: "--long") ?? 50, 1)
        var totals = SimulationTotals()
        for seed in first..<(first + count) {
            let mix = seed.isMultiple(of: share) ? SimulationMix.long : SimulationMix()
            if let finding = await SimulationFinding.find(seed: seed, mix, seen: { totals.add($0) }) {
                print(finding)
                exit(1)
            }
            guard seed.isMultiple(of: 1_000) else { continue }
            print("up to seed \(seed): \(totals)")
            // A run takes long, and its output may go to a file.
            fflush(nil)
        }
        print("seeds \(first) to \(first + count - 1): \(totals)")
    }
}

/// What is asked for on the command line.
private enum SimulationOptions {
    static func value(of option: String) -> UInt64? {
        let words = CommandLine.arguments
        guard let place = words.firstIndex(of: option), place + 1 < words.count else { return nil }
        return UInt64(words[place + 1])
    }
}

/// What was run.
private struct SimulationTotals: CustomStringConvertible {
    private var seeds = 0
    private var versions = 0
    private var rounds = 0
    private let start = ContinuousClock.now

    mutating func add(_ simulation: SimulatedFolder) {
        seeds += 1
        versions += simulation.versions
        rounds = max(rounds, simulation.rounds)
    }

    var description: String {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return "\(seeds) seeds, \(versions) versions, none lost, at most \(rounds) rounds, \(Int(seconds)) s"
    }
}
