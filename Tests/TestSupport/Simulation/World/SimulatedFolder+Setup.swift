import FileCoordination
import LLVSCore

extension SimulatedFolder {
    /// - Parameter directory: where stores and folders are on the disk; nil: all is in memory.
    func setUp(_ directory: String?) throws {
        let setup = script.setup
        couriers = [Courier(replicas: [])]
        let hasSecond = setup.isBridged && setup.devices > 1
        if hasSecond { couriers.append(Courier(replicas: [])) }
        for index in 0..<setup.devices {
            let isFar = hasSecond && index == setup.devices - 1
            let sharesPlace = setup.isShared && index == 1 && !isFar
            let place = sharesPlace ? 0 : try addPlace(isFar ? 1 : 0, directory)
            let device = try SimulatedFolderDevice(
                "device \(index)", replica: tree(places[place]), storePath: directory.map { "\($0)/store\(index)" },
                creating: index == 0, design: design(index))
            devices.append(device)
            placesOfDevice.append([place])
            if index == 0 { try addCards(hasSecond, directory) }
        }
        for index in devices.indices { register(index) }
        // What crosses both folders must be written in both.
        if let reader = setup.reader, reader < devices.count, !(hasSecond && reader == 0) { makeReader(reader) }
    }

    func design(_ index: Int) -> SimulatedFolderDevice.Design {
        let setup = script.setup
        var design = SimulatedFolderDevice.Design()
        if index < setup.arbiters.count { design.arbiter = Self.arbiters[setup.arbiters[index] % Self.arbiters.count] }
        if index == setup.drafter { design.branch = "draft" }
        if index == setup.follower { design.selecting = ["draft"] }
        let year = SimulatedFolderClock.fiftyYears / 50
        if index < setup.yearsOff.count { design.clockOffset = Int64(setup.yearsOff[index]) * year }
        design.seed = setup.names &+ UInt64(index) &* 0x9e37_79b9
        return design
    }

    /// A further replica with the files of those there are. Each has a disk of its own, on which folders have the same path.
    func addPlace(_ courier: Int, _ directory: String?) throws -> Int {
        let number = places.count
        let name = courier == 0 ? "shared-folder" : "second-folder"
        let manners = number < script.setup.disks.count ? script.setup.disks[number] : 0
        let disk = MemoryFileSystem(MemoryFileSystem.Manners(rawValue: manners & 3))
        let tree =
            directory.map { SimulatedFolderTree("\($0)/\(name)-\(number)") }
            ?? SimulatedFolderTree("/\(name)", on: disk)
        disks.append(disk)
        try tree.make(copying: couriers[courier].replicas.first)
        places.append(Place(courier: courier, index: couriers[courier].replicas.count))
        couriers[courier].add(tree, like: 0)
        return number
    }

    /// The cards of the folders, after the first device has made them.
    private func addCards(_ hasSecond: Bool, _ directory: String?) throws {
        if hasSecond {
            let place = try addPlace(1, directory)
            try devices[0].attach(to: tree(places[place]), creating: true)
            placesOfDevice[0].append(place)
        }
        for courier in couriers {
            guard let name = try courier.replicas[0].list().first, let bytes = try courier.replicas[0].read(name) else {
                throw SimulatedFolderFailure("the folder has no card")
            }
            cards.append((name, bytes))
        }
    }

    /// From now on, what a device does in its folders is looked at.
    func register(_ index: Int) {
        devices[index].mortality.recordDeeds(below: devices[index].memberships.map(\.replica.path))
    }

    func makeReader(_ index: Int) {
        readers.insert(index)
        devices[index].mortality.makeReadOnly(devices[index].replica.path)
    }

    /// A copy of a machine: its store and the disks its folders are on.
    func clone(_ index: Int) throws {
        let device = devices[index]
        guard devices.count < 8, let store = try device.copyOfStore() else { return }
        var copies: [Int] = []
        for number in placesOfDevice[index] {
            let (old, place) = (places[number], places.count)
            disks.append(MemoryFileSystem(copying: disks[number]))
            places.append(Place(courier: old.courier, index: couriers[old.courier].replicas.count))
            couriers[old.courier].add(SimulatedFolderTree(tree(old).path, on: disks[place]), like: old.index)
            copies.append(place)
        }
        let clone = try device.clone(
            "device \(devices.count)", store, on: copies.map { tree(places[$0]) },
            seed: script.setup.names &+ UInt64(devices.count) &* 0x9e37_79b9)
        devices.append(clone)
        placesOfDevice.append(copies)
        twins.formUnion([index, devices.count - 1])
        note("\(clone.name) is a copy of \(device.name)")
        if readers.contains(index) { makeReader(devices.count - 1) }
    }
}
