/// A seed that fails, and a short script that fails alike.
public struct SimulationFinding: Sendable, CustomStringConvertible {
    /// The seed.
    public let seed: UInt64
    /// The shortest script that was found to break the same promise.
    public let script: SimulationScript
    /// What the script breaks, with what happened.
    public let failure: String

    /// All of it, for a person.
    public var description: String {
        "seed \(seed) fails; so does this script, which a test can run with SimulatedFolder.run:\n\(script)\n\(failure)"
    }

    /// Nil if the seed passes; else what fails, made short.
    ///
    /// - Parameter seen: told of each simulation that passed.
    public static func find(
        seed: UInt64, _ mix: SimulationMix, shrinking: Bool = true, seen: (SimulatedFolder) -> Void = { _ in }
    ) async -> SimulationFinding? {
        let script = mix.script(seed: seed)
        guard let failure = await failure(of: script, seen) else { return nil }
        guard shrinking else { return SimulationFinding(seed: seed, script: script, failure: failure) }
        let shortest = await script.shrunk { candidate in
            await Self.failure(of: candidate).map { promise(in: $0) == promise(in: failure) } ?? false
        }
        return SimulationFinding(
            seed: seed, script: shortest, failure: await Self.failure(of: shortest) ?? "(it passes at second sight)")
    }

    /// How a script fails; nil if it passes.
    public static func failure(
        of script: SimulationScript, _ seen: (SimulatedFolder) -> Void = { _ in }
    ) async -> String? {
        do {
            seen(try await SimulatedFolder.run(script))
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The words of a failure without what differs from script to script: numbers and names of versions and files.
    private static func promise(in failure: String) -> String {
        let line = String(failure.split(separator: "\n").first ?? "")
        let words: [String] = line.split(separator: " ").map(String.init)
        return words.filter { word in word.count < 20 && !word.contains(where: \.isNumber) }.joined(separator: " ")
    }
}
