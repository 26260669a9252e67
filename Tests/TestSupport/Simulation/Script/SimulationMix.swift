/// How scripts are made from seeds: what comes up, and how often.
///
/// Each seed leaves about half of the faults out, so that those that are left meet each other more often than if all were
/// always there.
public struct SimulationMix: Sendable {
    /// How many devices there may be.
    public var devices = 2...4
    /// How many steps there may be.
    public var steps = 6...26
    /// Whether values of more than 8 MiB occur.
    public var hasHugeValues = false
    /// Whether stores are SQLite's.
    public var isOnDisk = false

    /// A few devices and a short story: what most faults need, and cheap.
    public init() {}

    /// Many devices and a long story.
    public static let long = SimulationMix.with {
        $0.devices = 3...8
        $0.steps = 80...160
    }

    /// A mix that differs from the usual one.
    public static func with(_ change: (inout SimulationMix) -> Void) -> SimulationMix {
        var mix = SimulationMix()
        change(&mix)
        return mix
    }

    /// The script of a seed.
    public func script(seed: UInt64) -> SimulationScript {
        var random = SimulatedFolderRandom(seed: seed)
        let setup = makeSetup(&random)
        let kinds = makeKinds(setup, &random)
        let total = kinds.reduce(0) { $0 + $1.weight }
        var steps: [SimulationStep] = []
        for number in 0..<Int.random(in: self.steps, using: &random) {
            var place = Int.random(in: 0..<total, using: &random)
            let kind = kinds.first { kind in
                place -= kind.weight
                return place < 0
            }
            if let kind { steps.append(kind.make(&random, number)) }
        }
        return SimulationScript(setup, steps)
    }

    private func makeSetup(_ random: inout SimulatedFolderRandom) -> SimulationSetup {
        // Two are enough for most faults.
        let counts = [devices, devices, devices.lowerBound...devices.lowerBound]
        var setup = SimulationSetup(
            devices: Int.random(in: counts[Int.random(in: 0..<3, using: &random)], using: &random))
        let all = 0..<setup.devices
        setup.names = random.next() >> 32
        if random.oneIn(2) { setup.arbiters = all.map { _ in Int.random(in: 0..<6, using: &random) } }
        if random.oneIn(3) {
            setup.yearsOff = all.map { _ in random.oneIn(2) ? 0 : random.oneIn(2) ? 50 : -50 }
        }
        if random.oneIn(5) {
            setup.drafter = all.randomElement(using: &random)
            if random.oneIn(2) { setup.follower = all.randomElement(using: &random) }
        }
        if random.oneIn(4) { setup.reader = all.randomElement(using: &random) }
        setup.isShared = setup.devices > 2 && random.oneIn(6)
        setup.isBridged = setup.devices > 2 && random.oneIn(8)
        setup.settlesTogether = random.oneIn(2)
        if random.oneIn(4) { setup.disks = all.map { _ in Int.random(in: 0..<4, using: &random) } }
        setup.isOnDisk = isOnDisk
        return setup
    }
}
