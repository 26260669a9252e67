@testable import LLVSCore
import TestSupport
import Testing

/// Devices that edit, retrieve a part of what there is, merge, and send or crash before sending; see ``Device``.
@Suite("Coordinator: devices settle") struct CoordinatorConvergenceTests {
    /// What the devices of a run have in common.
    struct Setting: Sendable, CustomTestStringConvertible {
        let devices: Int
        /// Whether the devices' arbiters disagree.
        let disagrees: Bool
        /// Whether the last device only reads.
        let hasReader: Bool

        var testDescription: String {
            "\(devices) devices\(disagrees ? " that disagree" : "")\(hasReader ? " with a reader" : "")"
        }
    }

    /// Where devices put what they send. Nothing is ever lost here; a retrieve may see a part of it.
    private struct Folder {
        var parcels: [VersionParcel] = []
        var ids: Set<Version.ID> = []
    }

    private final class Device {
        let builder = StoreBuilder()
        let coordinator: StoreCoordinator
        let isReader: Bool
        private var sent: Int64 = 0

        init(_ arbiter: any MergeArbiter, isReader: Bool) {
            coordinator = StoreCoordinator(store: builder.store, arbiter: arbiter, clock: { StoreBuilder.now })
            self.isReader = isReader
        }

        /// Takes in what arrives, in random order, whenever its parents are there.
        func retrieve(_ folder: Folder, random: inout SeededRandom, seeingAll: Bool) throws {
            var waiting = folder.parcels.filter { _ in seeingAll || Int.random(in: 0..<10, using: &random) < 6 }
            waiting = try waiting.filter { try builder.store.state(of: $0.id) != .firm }.shuffled(using: &random)
            while true {
                let late = try waiting.filter { parcel in
                    let isReady = try parcel.record.version.parents.allSatisfy { try builder.store.state(of: $0) != nil }
                    if isReady { try builder.admit(parcel) }
                    return !isReady
                }
                if late.count == waiting.count { return }
                waiting = late
            }
        }

        func send(to folder: inout Folder) throws {
            if isReader { return }
            for parcel in try builder.parcels(from: sent + 1) {
                sent += 1
                if folder.ids.insert(parcel.id).inserted { folder.parcels.append(parcel) }
            }
        }

        func edit(_ number: Int, random: inout SeededRandom) async throws {
            if isReader { return }
            let id = try Value.ID(["a", "b", "c", "d"].randomElement(using: &random) ?? "a")
            var base = try await coordinator.current()
            // Sometimes the author looked at an older version.
            if Int.random(in: 0..<4, using: &random) == 0 {
                base = try builder.store.version(base).parents.randomElement(using: &random) ?? base
            }
            let removes = try Int.random(in: 0..<5, using: &random) == 0 && builder.text(id, at: base) != nil
            try await coordinator.save(
                StoreBuilder.changes([id: removes ? nil : "edit \(number)"]), basedOn: base)
        }

        func merge() async throws { try await coordinator.merge(publishing: !isReader) }
    }

    static let settings = [2, 3, 4].flatMap { devices in
        [false, true].flatMap { disagrees in
            [false, true].map { Setting(devices: devices, disagrees: disagrees, hasReader: $0) }
        }
    }

    private static let arbiters: [any MergeArbiter] = [
        ScriptedArbiter.keeping(.first), ScriptedArbiter.keeping(.second), MostRecentChangeArbiter(),
        ScriptedArbiter { merge in
            try merge.conflicts.map { id in
                let isRemoved = try merge.reference(id, on: .first) == nil || merge.reference(id, on: .second) == nil
                return isRemoved ? .remove(id) : try merge.keeping(.first, of: id)
            }
        },
    ]

    /// 100 runs of three devices that disagree, and some of every other kind.
    static let runs: [(Setting, ClosedRange<UInt64>)] = settings.flatMap { setting in
        let isMain = setting.devices == 3 && setting.disagrees && !setting.hasReader
        let seeds: ClosedRange<UInt64> = isMain ? 1...100 : 1...4
        return stride(from: seeds.lowerBound, through: seeds.upperBound, by: 25).map {
            (setting, $0...min($0 + 24, seeds.upperBound))
        }
    }

    @Test("once all has arrived, all devices have one version within three rounds, and no more are made", arguments: runs)
    func settles(_ setting: Setting, _ seeds: ClosedRange<UInt64>) async throws {
        for seed in seeds {
            do {
                try await settles(setting, seed: seed)
            } catch {
                Issue.record("\(setting.testDescription), seed \(seed): \(error)")
            }
        }
    }

    private func settles(_ setting: Setting, seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let devices = (0..<setting.devices).map { number in
            Device(
                setting.disagrees ? Self.arbiters[number % 4] : MostRecentChangeArbiter(),
                isReader: setting.hasReader && number == setting.devices - 1)
        }
        var folder = Folder()
        var edits = 0
        for _ in 0..<24 {
            let device = devices[Int.random(in: 0..<devices.count, using: &random)]
            if Int.random(in: 0..<10, using: &random) < 4 {
                edits += 1
                try await device.edit(edits, random: &random)
            }
            try device.retrieve(folder, random: &random, seeingAll: false)
            try await device.merge()
            if Int.random(in: 0..<20, using: &random) < 17 { try device.send(to: &folder) }
        }
        var rounds = 0
        var quiet = 0
        while quiet < 3 {
            let before = try devices.map { try $0.builder.store.storage.contents() }
            for device in devices.shuffled(using: &random) {
                try device.retrieve(folder, random: &random, seeingAll: true)
                try await device.merge()
                try device.send(to: &folder)
            }
            quiet = try devices.map { try $0.builder.store.storage.contents() } == before ? quiet + 1 : 0
            rounds += quiet == 0 ? 1 : 0
            try #require(rounds <= 20, "\(setting.testDescription), seed \(seed) does not settle")
        }
        let context: Comment = "\(setting.testDescription), seed \(seed)"
        // The last of these rounds only carries what the one before made.
        #expect(rounds <= 4, context)
        try await expectEqual(devices, folder, context)
        if seed % 8 == 1 { #expect(try devices[0].builder.store.verify() == [], context) }
    }

    private func expectEqual(_ devices: [Device], _ folder: Folder, _ context: Comment) async throws {
        let current = try await devices[0].coordinator.current()
        let store = devices[0].builder.store
        let heads = try store.heads()
        let values = try devices[0].builder.values(at: current)
        for device in devices {
            let other = device.builder.store
            #expect(try await device.coordinator.current() == current, context)
            #expect(try device.builder.values(at: current) == values, context)
            #expect(try other.digest(at: current) == store.digest(at: current), context)
            #expect(try other.heads() == heads, context)
            #expect(try Set(device.builder.parcels().map(\.id)) == folder.ids, context)
            for head in heads { #expect(try other.isAncestor(head.id, of: current), context) }
        }
    }

    @Test("two devices that sync and merge in turn make at most one merge, then nothing", arguments: [true, false])
    func noPingPong(disputed: Bool) async throws {
        var random = SeededRandom(seed: 1)
        let devices = [Device(MostRecentChangeArbiter(), isReader: false), Device(MostRecentBranchArbiter(), isReader: false)]
        var folder = Folder()
        for (number, device) in devices.enumerated() {
            let id = try Value.ID(disputed ? "x" : "\(number)")
            try await device.coordinator.save(StoreBuilder.changes([id: "edit \(number)"]))
        }
        for _ in 0..<20 {
            for device in devices {
                try device.retrieve(folder, random: &random, seeingAll: true)
                try await device.merge()
                try device.send(to: &folder)
            }
        }
        #expect(folder.ids.count == (disputed ? 3 : 2))
        try await expectEqual(devices, folder, "")
        for device in devices { #expect(try device.builder.store.storage.size(of: StoreZones.versions).rows == 3) }
    }
}
