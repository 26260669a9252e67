import LLVSCore
import TestSupport
import Testing

/// Stories that once went wrong, and such as seeds seldom tell.
@Suite struct SimulationStories {
    /// Dies before each of its deeds, the one between putting its file into the folder and noting that among them; then the
    /// file is spoiled, and nobody but the device itself could tell what was in it.
    @Test(arguments: [SimulationHarm.zeroed, .cut(500), .empty])
    func aFileThatWasSpoiledAfterItsWritersDeathIsWrittenAgain(harm: SimulationHarm) async throws {
        var spoiled = 0
        for deed in 1...30 {
            let simulation = try await SimulatedFolder.run(
                SimulationScript(
                    SimulationSetup(devices: 2),
                    [
                        .edit(0, [.set("a", 1)]), .die(0, deed: deed), .spoil(0, file: 0, harm),
                        .edit(0, [.set("b", 2)]),
                        .pass(0),
                    ]))
            if simulation.log.contains(where: { $0.hasPrefix("spoil") && $0.contains("/e-") }) { spoiled += 1 }
        }
        #expect(spoiled > 1)
    }

    /// A piece of a value comes back too long, and its writer dies before each of its deeds while it writes it again. Nobody else
    /// has the value yet.
    @Test func aPieceThatWasSpoiledIsWrittenAgainHoweverOftenItsWriterDies() async throws {
        let carry = { from, to, count, harm in
            SimulationStep.deliver(from: from, to: to, count: count, order: 0, harm)
        }
        for deed in 1...12 {
            let simulation = try await SimulatedFolder.run(
                SimulationScript(
                    SimulationSetup(devices: 2),
                    [
                        .edit(0, [.fill("b", 21_420)]), .pass(0), carry(0, 1, 1, .none), carry(0, 1, 100, .longer),
                        carry(1, 0, 100, .none), .die(0, deed: deed),
                    ]))
            #expect(simulation.log.contains { $0.hasPrefix("deliver from 1") && $0.contains("/v-") }, "deed \(deed)")
        }
    }

    /// A service renames its file; it dies while it writes the file again, and the carrier brings back what was renamed. From
    /// then on nothing is opened where nothing is new, which every simulation looks after.
    @Test func aFileThatComesBackWhenItsWriterDiedIsNotLookedAtForEver() async throws {
        let carry = SimulationStep.deliver(from: 3, to: 22, count: 100, order: 0, .none)
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 7).with(\.arbiters, [1, 3, 0, 3, 2, 1, 4]).with(\.settlesTogether, true),
                [
                    .edit(1, [.set("a", 120)]), .edit(3, [.set("f", 123)]), .edit(0, [.set("b", 2)]), carry, .pass(3),
                    .pass(1), .edit(2, [.set("e", 156)]), .edit(3, [.set("f", 169)]), .edit(5, [.set("c", 2)]),
                    .edit(4, [.set("e", 200), .set("f", 200)]), carry, .die(3, deed: 23),
                    .conflict(3, file: 76, service: 0, .gone), .pass(5),
                    .deliver(from: 0, to: 23, count: 100, order: 0, .none), .edit(5, [.set("f", 226)]),
                    .edit(3, [.set("f", 229)]), .snapshot(9), .die(3, deed: 8), .pass(1), .snapshot(1),
                    .editOld(3, [.remove("f")], seen: 14), .pass(4), .edit(1, [.remove("a")]),
                ]))
        #expect(simulation.log.contains { $0.contains("died") && $0.contains("/shared-folder/") })
    }

    /// A file of a snapshot arrives empty elsewhere and comes back like that.
    @Test func aSnapshotThatArrivedTornIsSoundAgainOrGone() async throws {
        let carry = { from, to in SimulationStep.deliver(from: from, to: to, count: 100, order: 0, .none) }
        _ = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 3),
                [
                    carry(1, 21), .pass(0), .die(13, deed: 23), .pass(2), .pass(0), .pass(1), .delete(8, file: 50),
                    .pass(1), .pass(0), .edit(1, [.remove("f"), .set("a", 113), .set("b", 113)]), carry(2, 18),
                    .pass(1),
                    carry(1, 19), .edit(1, [.set("c", 121)]), .edit(2, [.set("c", 122), .set("b", 0)]), .snapshot(17),
                    .pass(2), .pass(1), carry(1, 21), .snapshot(17), .pass(2),
                    .deliver(from: 14, to: 21, count: 3, order: 31_631, .empty), .snapshot(20), .pass(2),
                ]))
    }

    /// It finds its file spoiled when it leaves, and writes it again; then the carrier spoils it, and nobody cares for it any more.
    @Test func whatADeviceWroteAgainBeforeItLeftCounts() async throws {
        let carry = { from, to, harm in SimulationStep.deliver(from: from, to: to, count: 100, order: 0, harm) }
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 2).with(\.arbiters, [3, 4]),
                [
                    .edit(0, [.set("d", 109)]), .pass(0), carry(0, 1, .flipped(55_828)), carry(1, 0, .none), .leave(0),
                    carry(1, 0, .none), .edit(1, [.set("d", 127)]),
                ]))
        #expect(Set(try simulation.devices.map { try $0.current() }).count == 1)
    }

    @Test func aCopyOfAMachineAndAnOldBackupOfItLoseNothing() async throws {
        let carry = SimulationStep.deliver(from: 0, to: 0, count: 100, order: 0, .none)
        let back = SimulationStep.deliver(from: 1, to: 0, count: 100, order: 0, .none)
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 2),
                [
                    .edit(0, [.set("a", 1)]), .pass(0), .backUpStore(0), .clone(0), .edit(0, [.set("b", 1)]), .pass(0),
                    .edit(2, [.set("c", 1)]), .pass(2), carry, .pass(1), .restoreStore(0), .edit(0, [.set("d", 1)]),
                    .pass(0), back, .pass(0), .edit(2, [.remove("a")]), .pass(2),
                ]))
        #expect(simulation.devices.count == 3)
        #expect(Set(simulation.devices.map(\.lane)).count == 3)
        #expect(try simulation.devices.allSatisfy { try $0.text("b") == "text 1" && $0.text("d") == "text 1" })
    }

    /// Both have a version that neither has sent. The copy sends it alone, the machine with its next one: its file of both stands
    /// in for the copy's, which is no reason to take that away.
    @Test func nobodyTakesAFileAwayThatACopyOfItsMachineWrote() async throws {
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 1).with(\.settlesTogether, true),
                [.edit(0, [.set("b", 103)]), .clone(1), .edit(0, [.set("e", 1)])]))
        #expect(simulation.devices.count == 2)
    }

    @Test func everyDiskAndBothFoldersCarryAStore() async throws {
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 4).with(\.disks, [0, 1, 2, 3]).with(\.isShared, true).with(\.isBridged, true),
                [
                    .edit(0, [.set("a", 1)]), .pass(0), .edit(3, [.set("b", 1)]), .pass(3),
                    .edit(1, [.fill("c", 30_000)]),
                    .pass(1), .shiftTimes(0, hours: 1), .renumber(1), .edit(2, [.set("d", 1)]), .pass(2),
                ]))
        #expect(try simulation.devices.allSatisfy { try $0.values().count == 4 })
    }

    /// It has packed its first file into a larger one, and a service brings that first file back as zeros.
    @Test func aFileThatWasTakenAwayAndComesBackSpoiledGoesAgain() async throws {
        let carry = { from, to in SimulationStep.deliver(from: from, to: to, count: 100, order: 0, .none) }
        _ = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 3),
                [
                    carry(2, 21), .junk(13, kind: 76), .edit(1, [.set("c", 1)]), .pass(1),
                    .conflict(13, file: 65, service: 11, .cut), .edit(1, [.set("a", 117)]), .edit(1, [.set("d", 118)]),
                    .edit(1, [.set("d", 0)]), .edit(0, [.fill("d", 36_268)]), .edit(1, [.set("b", 122)]), .pass(0),
                    .edit(1, [.fill("b", 21_926)]), .edit(1, [.set("a", 127)]), carry(1, 4), .edit(0, [.set("c", 130)]),
                    .edit(1, [.set("d", 132)]), .edit(1, [.set("b", 133)]), carry(0, 22),
                    .conflict(14, file: 11, service: 6, .gone), .conflict(0, file: 73, service: 11, .cut),
                    .junk(6, kind: 63), .edit(1, [.set("f", 154)]), .junk(12, kind: 118), .pass(0), carry(0, 21),
                    .edit(1, [.set("e", 158)]), .pass(1), .edit(2, [.set("f", 2)]), .pass(2), .edit(0, [.set("b", 1)]),
                    carry(2, 21), .pass(1), .pass(0), .edit(2, [.set("b", 1)]), .edit(1, [.set("b", 1)]),
                    .edit(1, [.set("f", 212)]), .pass(2), .conflict(3, file: 118, service: 4, .gone), .pass(1),
                    carry(2, 6), .spoil(3, file: 92, .zeroed), carry(0, 18),
                ]))
    }

    /// The other device still has what was taken away, and a service brings that back as zeros, long after.
    @Test func aFileThatIsGoneForLongAndComesBackSpoiledGoesAgain() async throws {
        let carry = { from, to in SimulationStep.deliver(from: from, to: to, count: 100, order: 0, .none) }
        let saves = (1...20).flatMap { [SimulationStep.edit(0, [.set("a", $0)]), .pass(0)] }
        let heard = [.pass(1), .edit(1, [.set("b", 1)]), .pass(1), carry(1, 0), .pass(0), .pass(0), .pass(0)]
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 2),
                saves.prefix(2) + [carry(0, 1)] + saves.dropFirst(2) + [carry(0, 1)] + heard
                    + [.spoil(1, file: 0, .zeroed), carry(1, 0), .pass(0), .pass(0)]))
        let spoiled = try #require(simulation.log.first { $0.hasPrefix("spoil") })
        #expect(spoiled.contains("/e-1-1-"), "\(spoiled)")
    }

    /// A copy of the machine goes on in a folder that has not heard of the snapshot which both wrote.
    @Test func aSnapshotOfACopiedMachineComesToRest() async throws {
        _ = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 2),
                [
                    .edit(0, [.set("e", 1)]), .edit(1, [.set("d", 116)]), .snapshot(20), .pass(1),
                    .edit(1, [.set("f", 1)]), .deliver(from: 1, to: 7, count: 100, order: 0, .none), .snapshot(20),
                    .pass(1), .deliver(from: 1, to: 20, count: 100, order: 0, .none),
                    .deliver(from: 0, to: 1, count: 100, order: 0, .none), .clone(8), .snapshot(9),
                ]))
    }

    /// A service renamed its manifest, and the set it began went when newer ones were there.
    @Test func aCopyOfAFileOfAnOldSnapshotIsNoSnapshotThatIsOnItsWay() async throws {
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 1),
                [
                    .edit(0, [.set("b", 102)]), .conflict(9, file: 95, service: 2, .gone),
                    .deliver(from: 0, to: 18, count: 100, order: 0, .none), .snapshot(5),
                    .deliver(from: 0, to: 23, count: 100, order: 0, .none), .edit(0, [.set("a", 115)]), .snapshot(20),
                    .conflict(19, file: 16, service: 9, .gone), .edit(0, [.set("a", 154)]), .snapshot(14),
                ]))
        #expect(simulation.log.contains { $0.hasPrefix("conflict") && $0.contains("/p-") })
    }

    /// Both take other lanes, so nobody looks after the file any more; but only this machine has its bytes.
    @Test func aPieceThatWasSpoiledBeforeACopyOfItsMachineWasMetIsWrittenAgain() async throws {
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 2).with(\.names, 1_900_133_158),
                [
                    .deliver(from: 1, to: 16, count: 100, order: 0, .none), .clone(8), .pass(1),
                    .edit(0, [.fill("f", 24478)]), .deliver(from: 1, to: 8, count: 100, order: 0, .none),
                    .edit(0, [.set("f", 111)]), .pass(0), .pass(1), .spoil(21, file: 47, .flipped(44617)),
                    .unmount(7, leavingDirectory: false),
                ]))
        #expect(simulation.log.contains { $0.hasPrefix("spoil") && $0.contains("/v-") })
    }

    /// The first of the eight bytes that all files begin with is wrong: it still is no file of anybody else's.
    @Test func aReplacedFileWhoseFirstBytesWereSpoiledGoes() async throws {
        let carry = { from, to in SimulationStep.deliver(from: from, to: to, count: 100, order: 0, .none) }
        let saves = (1...20).flatMap { [SimulationStep.edit(0, [.set("a", $0)]), .pass(0)] }
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 2),
                saves.prefix(2) + [carry(0, 1), .spoil(1, file: 0, .flipped(61))] + saves.dropFirst(2)
                    + [carry(1, 0), .pass(0), .pass(0)]))
        let spoiled = try #require(simulation.log.first { $0.hasPrefix("spoil") })
        #expect(spoiled.contains("/e-1-1-"), "\(spoiled)")
    }

    /// A restored store leaves its lane, of which a file is zeros. What was in it, is in the new lane.
    @Test func decisionsDoNotWaitForALaneThatWasLeft() async throws {
        let carry = { from, to in SimulationStep.deliver(from: from, to: to, count: 100, order: 0, .none) }
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 3).with(\.arbiters, [5, 4, 3]),
                [
                    .edit(2, [.set("f", 104)]), .pass(2),
                    .deliver(from: 2, to: 2, count: 100, order: 0, .zeroed), .backUpStore(14),
                    .edit(2, [.set("d", 2)]), .pass(2), carry(0, 21), .edit(0, [.set("f", 0)]), .restoreStore(11),
                ]))
        #expect(simulation.log.contains { $0.contains("restored from its backup") })
    }

    /// A restored store leaves its lane, of which a file has bytes too many, and what comes after that waits for it for ever.
    @Test func decisionsDoNotWaitForWhatALaneThatWasLeftLacks() async throws {
        let carry = { from, to in SimulationStep.deliver(from: from, to: to, count: 100, order: 0, .none) }
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 4).with(\.arbiters, [3, 5, 1, 4]),
                [
                    .edit(2, [.set("c", 111)]), .backUpStore(6), .edit(3, [.set("b", 124)]), .edit(0, [.set("b", 128)]),
                    .pass(0), .edit(1, [.set("b", 131)]), .edit(2, [.set("d", 136)]), carry(0, 19), .pass(1),
                    .edit(2, [.set("c", 145)]), .edit(2, [.fill("d", 24_282)]), .edit(2, [.set("e", 148)]), .pass(2),
                    .die(15, deed: 13), .editOld(2, [.set("f", 154), .set("e", 154)], seen: 3), carry(1, 16),
                    carry(3, 19), .pass(2), .edit(3, [.set("b", 0)]), .pass(3), carry(0, 20), carry(1, 1), .pass(2),
                    .pass(3), .deliver(from: 14, to: 17, count: 2, order: 14_350, .longer), .edit(3, [.set("f", 187)]),
                    .wait(milliseconds: 1_259_334), .die(15, deed: 18), .wait(milliseconds: 3_108_415), carry(3, 8),
                    .die(18, deed: 23), .restoreStore(10),
                ]))
        #expect(simulation.log.contains { $0.contains("restored from its backup") })
    }

    /// It is delivered in part, given up for newer ones, and its writer leaves.
    @Test func whatIsLeftOfASnapshotInALaneThatWasLeftIsNoFault() async throws {
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 3),
                [
                    .edit(2, [.set("b", 101)]), .snapshot(11), .edit(2, [.set("b", 122)]), .snapshot(8),
                    .deliver(from: 2, to: 3, count: 5, order: 0, .none), .join, .edit(2, [.fill("f", 35_205)]),
                    .snapshot(14), .leave(22),
                ]))
        #expect(simulation.log.contains { $0.contains("is in the lane") })
    }

    /// A service brings a replaced file back with bytes too many, and its writer leaves the lane.
    @Test func aSpoiledFileOfALaneThatWasLeftIsNoFaultWhereOthersHaveItsEntries() async throws {
        let carry = { from, to in SimulationStep.deliver(from: from, to: to, count: 100, order: 0, .none) }
        let saves = (1...20).flatMap { [SimulationStep.edit(0, [.set("a", $0)]), .pass(0)] }
        let simulation = try await SimulatedFolder.run(
            SimulationScript(
                SimulationSetup(devices: 2),
                saves.prefix(2) + [.deliver(from: 0, to: 1, count: 100, order: 0, .longer)] + saves.dropFirst(2)
                    + [carry(1, 0), .leave(0)]))
        #expect(simulation.log.contains { $0.contains("is in the lane") })
    }
}
