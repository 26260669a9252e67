import LLVSCore
import TestSupport
import Testing

/// The simulation itself: it repeats what it did, sees what is broken, and makes long stories short.
@Suite struct SimulationScriptTests {
    @Test(arguments: [UInt64(3), 50, 77]) func aScriptDoesTheSameEachTime(seed: UInt64) async throws {
        let script = SimulationMix().script(seed: seed)
        #expect(script == SimulationMix().script(seed: seed))
        let stories = [try await SimulatedFolder.run(script).log, try await SimulatedFolder.run(script).log]
        #expect(stories[0] == stories[1])
        #expect(stories[0].count > script.setup.devices * 2)
    }

    @Test func whatFailsIsMadeAsShortAsItCanBe() async {
        let long = SimulationMix.long.script(seed: 5)
        // Fails where the device 1 passes after an edit and a jump of some clock.
        func fails(_ script: SimulationScript) -> Bool {
            let edit = script.steps.firstIndex { if case .edit = $0 { true } else { false } }
            guard let edit, script.setup.devices > 1 else { return false }
            return script.steps[edit...].contains { if case .pass(let number) = $0 { number % 2 == 1 } else { false } }
        }
        #expect(fails(long))
        let short = await long.shrunk { fails($0) }
        #expect(short.steps.count == 2)
        #expect(short.setup.devices == 2)
        #expect(fails(short))
        #expect(short.description.contains(".pass("))
    }

    @Test func aBrokenPromiseIsFoundAndItsScriptFailsAlike() async throws {
        struct Broken: Error {}
        let key: Value.ID = "a"
        // The promise that nobody ever sees what another wrote: broken as soon as a sync works.
        func failure(of script: SimulationScript) async -> Bool {
            do {
                try await SimulatedFolder.run(script) { simulation in
                    if simulation.devices.count > 1, try simulation.devices[1].text(key) != nil { throw Broken() }
                }
                return false
            } catch { return "\(error)".contains("Broken") }
        }
        let script = SimulationScript(
            SimulationSetup(devices: 3).with(\.yearsOff, [0, 50]),
            [
                .junk(0, kind: 3), .edit(2, [.set("b", 1)]), .edit(0, [.set("a", 1), .set("c", 2)]), .pass(2), .pass(0),
                .wait(milliseconds: 5), .deliver(from: 0, to: 0, count: 6, order: 5, .none), .pass(1), .pass(2),
            ])
        #expect(await failure(of: script))
        let short = await script.shrunk { await failure(of: $0) }
        #expect(await failure(of: short))
        #expect(short.setup == SimulationSetup(devices: 2))
        #expect(
            short.steps == [
                .edit(0, [.set("a", 1)]), .pass(0), .deliver(from: 0, to: 0, count: 100, order: 0, .none), .pass(1),
            ])
    }
}
