import FolderSync
import LLVSCore

/// What is promised at all times.
extension SimulatedFolder {
    /// Checks all devices after a step.
    func checkStep() throws {
        for index in devices.indices {
            let device = devices[index]
            let deeds = device.mortality.takeDeeds()
            try checkRights(deeds, of: device)
            try checkWritten(deeds, of: index)
            try checkHeld(device)
            try checkCurrent(of: index)
        }
    }

    /// Nobody writes or deletes in another's lane, or deletes what another wrote in a lane both had.
    private func checkRights(_ deeds: SimulatedFolderDeeds, of device: SimulatedFolderDevice) throws {
        if let trespass = deeds.trespasses.first {
            throw SimulatedFolderFailure("\(device.name) had no right to: \(trespass)")
        }
        if deeds.touched.isEmpty { return }
        let lanes = try FolderExchange.attachments(of: device.store).map(\.lane.description)
        device.ledger.lanes.formUnion(lanes)
        if let other = deeds.touched.subtracting(device.ledger.lanes).first {
            throw SimulatedFolderFailure("\(device.name) wrote in \(other), which is not its own")
        }
    }

    /// A name is written once: whoever writes it again writes the same bytes.
    private func checkWritten(_ deeds: SimulatedFolderDeeds, of index: Int) throws {
        for name in deeds.written {
            for number in placesOfDevice[index] {
                let place = places[number]
                guard couriers[place.courier].isMounted(place.index), let bytes = try tree(place).read(name) else {
                    continue
                }
                if let before = written[name], before.bytes != bytes {
                    throw SimulatedFolderFailure("\(devices[index].name) wrote \(name) with other bytes than before")
                }
                written[name] = WrittenFile(bytes: bytes, courier: place.courier)
            }
        }
        for name in deeds.removed { written[name]?.isRemovedByOwner = true }
    }

    /// No version that the device acknowledged is gone from it.
    private func checkHeld(_ device: SimulatedFolderDevice) throws {
        for id in device.acknowledged where try device.store.state(of: id) != .firm {
            throw SimulatedFolderFailure("\(device.name) acknowledged \(id) and does not have it")
        }
    }

    /// The current version holds all the device's own work.
    private func checkCurrent(of index: Int) throws {
        let device = devices[index]
        let current = try device.current()
        if checkedCurrents[index] == current { return }
        let ancestry = try ancestry(of: current, in: device.store)
        for id in device.acknowledged where !ancestry.contains(id) {
            throw SimulatedFolderFailure("\(device.name) saved \(id), which its current version \(current) lacks")
        }
        checkedCurrents[index] = current
    }

    private func ancestry(of tip: Version.ID, in store: Store) throws -> Set<Version.ID> {
        var found: Set<Version.ID> = [tip]
        var queue = [tip]
        while let id = queue.popLast() {
            let above: [Version.ID]
            if let known = parents[id] {
                above = known
            } else {
                above = id == .root ? [] : try store.version(id).parents
                parents[id] = above
            }
            for parent in above where found.insert(parent).inserted { queue.append(parent) }
        }
        return found
    }
}
