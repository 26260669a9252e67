extension SimulationMix {
    /// A kind of step and how often it comes up beside the others.
    struct Kind {
        let weight: Int
        let make: (inout SimulatedFolderRandom, _ number: Int) -> SimulationStep
    }

    /// What comes up in a script: the work, and about half of the faults.
    func makeKinds(_ setup: SimulationSetup, _ random: inout SimulatedFolderRandom) -> [Kind] {
        var kinds = work(setup)
        for fault in faults() where random.oneIn(2) { kinds.append(fault) }
        if !setup.isOnDisk {
            for trouble in twins() where random.oneIn(4) { kinds.append(trouble) }
            for change in comings() where random.oneIn(3) { kinds.append(change) }
        }
        return kinds
    }

    private func work(_ setup: SimulationSetup) -> [Kind] {
        let writers = (0..<setup.devices).filter { $0 != setup.reader }
        return [
            Kind(weight: 25) { random, number in
                let device = writers.randomElement(using: &random) ?? 0
                return .edit(device, self.changes(number, &random))
            },
            Kind(weight: 7) { random, number in
                let device = writers.randomElement(using: &random) ?? 0
                return .editOld(device, self.changes(number, &random), seen: file(&random))
            },
            Kind(weight: 30) { random, _ in .pass(device(&random)) },
            Kind(weight: 25) { random, _ in
                .deliver(
                    from: device(&random), to: device(&random), count: Int.random(in: 1...6, using: &random),
                    order: random.oneIn(3) ? 0 : random.next() >> 48, .none)
            },
            Kind(weight: 6) { random, _ in .wait(milliseconds: Int64.random(in: 0...4_000_000, using: &random)) },
        ]
    }

    private func changes(_ number: Int, _ random: inout SimulatedFolderRandom) -> [SimulationChange] {
        let keys = ["a", "b", "c", "d", "e", "f"].shuffled(using: &random)
        return keys.prefix(Int.random(in: 1...3, using: &random)).map { key in
            if random.oneIn(4) { return .remove(key) }
            if hasHugeValues, random.oneIn(12) { return .fill(key, (8 << 20) + 70_000) }
            if random.oneIn(20) { return .fill(key, Int.random(in: 16_000...40_000, using: &random)) }
            // The same content now and then: edits back, and the same edit on two devices.
            return .set(key, random.oneIn(4) ? Int.random(in: 0..<3, using: &random) : 100 + number)
        }
    }

    private func faults() -> [Kind] {
        [
            Kind(weight: 6) { random, _ in
                .deliver(
                    from: device(&random), to: device(&random), count: Int.random(in: 1...6, using: &random),
                    order: random.next() >> 48, harm(&random))
            },
            Kind(weight: 3) { random, _ in .spoil(device(&random), file: file(&random), harm(&random)) },
            Kind(weight: 7) { random, _ in
                .conflict(
                    device(&random), file: file(&random),
                    service: Int.random(in: 0..<CourierNames.count, using: &random),
                    SimulationOriginal.allCases.randomElement(using: &random) ?? .stays)
            },
            Kind(weight: 4) { random, _ in .delete(device(&random), file: file(&random)) },
            Kind(weight: 4) { random, _ in .stub(device(&random), file: file(&random)) },
            Kind(weight: 2) { random, _ in .unstub(device(&random)) },
            Kind(weight: 2) { random, _ in .junk(device(&random), kind: file(&random)) },
            Kind(weight: 4) { random, _ in random.oneIn(2) ? .backUp(device(&random)) : .rollBack(device(&random)) },
            Kind(weight: 6) { random, _ in
                random.oneIn(3) ? .unmount(device(&random), leavingDirectory: random.oneIn(2)) : .mount(device(&random))
            },
            Kind(weight: 8) { random, _ in .die(device(&random), deed: Int.random(in: 1...40, using: &random)) },
            Kind(weight: 2) { random, _ in .reopen(device(&random)) },
            Kind(weight: 5) { random, _ in .passOfSecondProcess(device(&random)) },
            Kind(weight: 6) { random, _ in random.oneIn(2) ? .retrieve(device(&random)) : .send(device(&random)) },
            Kind(weight: 2) { random, _ in .jump(device(&random), years: random.oneIn(2) ? 50 : -50) },
            Kind(weight: 2) { random, _ in
                random.oneIn(2) ? .shiftTimes(device(&random), hours: 1) : .renumber(device(&random))
            },
        ]
    }

    /// Who comes and goes, and what makes that cheap.
    private func comings() -> [Kind] {
        [
            Kind(weight: 3) { random, _ in .snapshot(device(&random)) },
            Kind(weight: 2) { random, _ in .leave(device(&random)) },
            Kind(weight: 2) { _, _ in .join },
        ]
    }

    /// What makes a store one of two.
    private func twins() -> [Kind] {
        [
            Kind(weight: 2) { random, _ in .clone(device(&random)) },
            Kind(weight: 6) { random, _ in
                random.oneIn(2) ? .backUpStore(device(&random)) : .restoreStore(device(&random))
            },
        ]
    }
}

/// Any device or replica: the numbers are counted around.
private func device(_ random: inout SimulatedFolderRandom) -> Int { Int.random(in: 0..<24, using: &random) }

/// Any file, version or kind of junk.
private func file(_ random: inout SimulatedFolderRandom) -> Int { Int.random(in: 0..<120, using: &random) }

private func bit(_ random: inout SimulatedFolderRandom) -> Int { Int(random.next() >> 48) }

private func harm(_ random: inout SimulatedFolderRandom) -> SimulationHarm {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .empty
    case 1: .cut(Int.random(in: 0..<1_000, using: &random))
    case 2: .zeroed
    case 3: .flipped(bit(&random))
    default: .longer
    }
}
