import FolderSync
import LLVSCore

extension SimulatedFolder {
    private func device(_ number: Int) -> Int { number % devices.count }

    /// Does what a step says.
    func perform(_ step: SimulationStep) async throws {
        pass(time: 3_000)
        switch step {
        case .edit(let number, let changes): try await edit(device(number), changes, seen: nil)
        case .editOld(let number, let changes, let seen): try await edit(device(number), changes, seen: seen)
        case .pass(let number): try await sync(device(number))
        case .passOfSecondProcess(let number): try await syncOfSecondProcess(device(number))
        case .retrieve(let number):
            try await tolerating(device(number), "retrieve") { _ = try await $0.exchange.retrieve() }
        case .send(let number): try await tolerating(device(number), "send") { _ = try await $0.exchange.send() }
        case .die(let number, let deed): try await die(device(number), deed)
        case .reopen(let number):
            note("\(devices[device(number)].name) starts again")
            try devices[device(number)].reopen()
        case .clone(let number): try clone(device(number))
        case .backUpStore(let number): try backUpStore(device(number))
        case .restoreStore(let number): try restoreStore(device(number))
        case .snapshot(let number):
            try await tolerating(device(number), "publish a snapshot") { _ = try await $0.exchange.publishSnapshot() }
        case .leave(let number): try await leave(device(number))
        case .join: try join()
        case .wait(let milliseconds): pass(time: milliseconds)
        case .jump(let number, let years):
            devices[device(number)].clock.advance(years * SimulatedFolderClock.fiftyYears / 50)
        case .shiftTimes(let number, let hours): disks[number % disks.count].shiftTimes(by: hours * 3_600)
        case .renumber(let number): disks[number % disks.count].renumber()
        default: try carry(step)
        }
    }

    private func pass(time: Int64) {
        now += time
        for disk in disks { disk.setClock(now) }
        for device in devices { device.clock.advance(time) }
    }

    /// What carriers do.
    private func carry(_ step: SimulationStep) throws {
        switch step {
        case .deliver(let source, let target, let count, let order, let harm):
            try deliver(source, target, count, order, harm)
        case .spoil(let number, let file, let harm):
            try at(number, "spoil") { try $0.spoil(file, at: $1, harm) }
        case .conflict(let number, let file, let service, let original):
            try at(number, "conflict, the original is \(original),") {
                try $0.makeConflict(file, at: $1, service: service, original)
            }
        case .delete(let number, let file): try at(number, "delete") { try $0.delete(file, at: $1) }
        case .stub(let number, let file): try at(number, "stub") { try $0.stub(file, at: $1) }
        case .unstub(let number): try at(number, "unstub") { try $0.restoreStubs($1) }
        case .junk(let number, let kind): try at(number, "junk") { try $0.leaveJunk(kind, at: $1) }
        case .backUp(let number): try at(number, "keep a copy") { try $0.backUp($1) }
        case .rollBack(let number): try at(number, "roll back") { try $0.rollBack($1) }
        case .unmount(let number, let leavingDirectory):
            try at(number, "unmount") { try $0.unmount($1, leavingDirectory: leavingDirectory) }
        case .mount(let number): try at(number, "mount") { try $0.mount($1) }
        default: throw SimulatedFolderFailure("nobody does \(step)")
        }
    }

    private func at(_ number: Int, _ what: String, _ body: (Courier, Int) throws -> Any?) throws {
        let place = place(number)
        let file = try body(couriers[place.courier], place.index)
        note("\(what) \(file as? String ?? "") at replica \(number % places.count)")
    }

    private func deliver(_ source: Int, _ target: Int, _ count: Int, _ order: UInt64, _ harm: SimulationHarm) throws {
        let from = place(source)
        let others = places.filter { $0.courier == from.courier && $0.index != from.index }
        guard !others.isEmpty else { return }
        let to = others[target % others.count]
        let files = try couriers[from.courier].deliver(count, from: from.index, to: to.index, order: order, harm)
        if !files.isEmpty { note("deliver from \(from.index) to \(to.index), the first \(harm): \(files)") }
    }
}

// MARK: - What devices do

extension SimulatedFolder {
    private func edit(_ index: Int, _ changes: [SimulationChange], seen: Int?) async throws {
        if readers.contains(index) { return }
        let device = devices[index]
        let old = seen.map { device.ledger.seen[$0 % device.ledger.seen.count] }
        let base = try old ?? device.current()
        var made: [Value.Change] = []
        for change in changes {
            switch change {
            case .set(let key, let number): made.append(.insert(Value(id: try Value.ID(key), "text \(number)")))
            case .fill(let key, let size):
                var noise = SimulatedFolderRandom(seed: UInt64(size))
                made.append(.insert(Value(id: try Value.ID(key), bytes: noise.bytes(size))))
            case .remove(let key):
                let id = try Value.ID(key)
                if try device.store.reference(of: id, at: base) != nil { made.append(.remove(id)) }
            }
        }
        let version = try await device.save(made, basedOn: old)
        note("\(device.name) saves \(version.id) on \(base)")
    }

    /// A pass over each of its folders.
    func sync(_ index: Int) async throws {
        for member in devices[index].memberships {
            try await tolerating(index, "sync") { device in
                try await self.sync(device, member.exchange, device.coordinator)
            }
        }
    }

    private func syncOfSecondProcess(_ index: Int) async throws {
        try await tolerating(index, "sync by a second process") { device in
            let (exchange, coordinator) = device.secondProcess()
            try await self.sync(device, exchange, coordinator)
        }
    }

    private func sync(
        _ device: SimulatedFolderDevice, _ exchange: FolderExchange, _ coordinator: StoreCoordinator
    ) async throws {
        let outcome = try await device.pass(exchange, coordinator)
        note(
            "\(device.name) syncs: \(outcome.report.imported) in, \(outcome.report.sent) out, "
                + "\(outcome.merge.made) made, \(outcome.report.restored) restored, at \(outcome.current)")
        for notice in outcome.report.notices { note("\(device.name): \(notice.file) \(notice.reason)") }
    }

    /// A folder that is away, or whose card is spoiled, may be said so.
    func tolerating(
        _ index: Int, _ what: String, _ body: (SimulatedFolderDevice) async throws -> Void
    ) async throws {
        do {
            try await body(devices[index])
        } catch let error as FolderSyncError where Self.areExpected.contains(error.code) {
            note("\(devices[index].name) cannot \(what): \(error.code.rawValue)")
        }
    }

    private static let areExpected: Set<FolderSyncError.Code> = [
        .folderMissing, .folderEmptyOrUnmounted, .cardArriving, .cardDamaged, .readOnly, .notReady,
    ]

    private func die(_ index: Int, _ deed: Int) async throws {
        let device = devices[index]
        device.mortality.die(atDeed: deed)
        do {
            try await sync(index)
        } catch  where device.mortality.isDead {
            note("\(device.name) died in a pass before deed \(deed): \(device.mortality.lastBreath)")
        }
        try device.reopen()
    }

    private func backUpStore(_ index: Int) throws {
        guard let store = try devices[index].copyOfStore() else { return }
        backups[index] = (store, devices[index].ledger)
        note("\(devices[index].name)'s store is backed up")
    }

    private func restoreStore(_ index: Int) throws {
        guard let (store, ledger) = backups[index] else { return }
        try devices[index].restore(store, ledger)
        checkedCurrents[index] = nil
        twins.insert(index)
        note("\(devices[index].name)'s store is restored from its backup")
    }
}
