extension SimulationScript {
    /// A short script that still fails: steps are left out, in halves, quarters and so on down to single ones (delta
    /// debugging), then devices and what is unusual about them, until nothing more can go.
    ///
    /// - Parameters:
    ///   - runs: how many scripts are tried at most.
    ///   - fails: whether a script fails in the way that matters.
    public func shrunk(runs: Int = 600, where fails: (SimulationScript) async -> Bool) async -> SimulationScript {
        var left = runs
        var shortest = self
        func tries(_ script: SimulationScript) async -> Bool {
            guard left > 0, script != shortest else { return false }
            left -= 1
            return await fails(script)
        }
        while left > 0 {
            let before = shortest
            var size = max(1, shortest.steps.count / 2)
            while true {
                var start = 0
                while start < shortest.steps.count {
                    var shorter = shortest
                    shorter.steps.removeSubrange(start..<min(start + size, shorter.steps.count))
                    if await tries(shorter) { shortest = shorter } else { start += size }
                }
                if size == 1 { break }
                size /= 2
            }
            for simpler in shortest.setup.simpler {
                let script = SimulationScript(simpler, shortest.steps)
                if await tries(script) { shortest.setup = simpler }
            }
            for index in shortest.steps.indices {
                for simpler in shortest.steps[index].simpler(devices: shortest.setup.devices) {
                    var script = shortest
                    script.steps[index] = simpler
                    if await tries(script) {
                        shortest = script
                        break
                    }
                }
            }
            if shortest == before { break }
        }
        return shortest
    }
}

extension SimulationSetup {
    /// Setups with less in them.
    fileprivate var simpler: [SimulationSetup] {
        let usual = SimulationSetup()
        var all: [SimulationSetup] = []
        for count in 1..<max(devices, 1) { all.append(with(\.devices, count)) }
        all += [with(\.arbiters, []), with(\.yearsOff, []), with(\.disks, []), with(\.reader, nil)]
        all += [with(\.drafter, nil), with(\.follower, nil), with(\.isShared, false), with(\.isBridged, false)]
        all += [with(\.isOnDisk, false), with(\.settlesTogether, false), with(\.names, usual.names)]
        return all.filter { $0 != self }
    }
}

extension SimulationStep {
    /// Steps of the same kind with less in them, or smaller numbers for the same devices.
    fileprivate func simpler(devices: Int) -> [SimulationStep] {
        switch self {
        case .edit(let device, let changes) where changes.count > 1:
            changes.map { .edit(device % devices, [$0]) }
        case .edit(let device, let changes): [.edit(device % devices, changes)]
        case .editOld(let device, let changes, let seen):
            [.edit(device % devices, changes), .editOld(device % devices, changes, seen: min(seen, 3))]
        case .pass(let device): [.pass(device % devices)]
        case .passOfSecondProcess(let device): [.pass(device % devices)]
        case .retrieve(let device): [.pass(device % devices)]
        case .send(let device): [.pass(device % devices)]
        case .deliver(let source, let target, let count, let order, let harm):
            [
                .deliver(from: source, to: target, count: count, order: order, .none),
                .deliver(from: source, to: target, count: 100, order: 0, harm),
                .deliver(from: source % devices, to: target, count: count, order: 0, harm),
            ]
        default: []
        }
    }
}
