import FolderSync

/// Who leaves the folder and who joins it.
extension SimulatedFolder {
    /// Leaves the first folder, and is a member of it again at once, in another lane. What only the store had stays in it.
    func leave(_ index: Int) async throws {
        let device = devices[index]
        guard try hasCard(placesOfDevice[index][0]) else { return }
        try await tolerating(index, "leave") { device in
            let departure = try await device.exchange.leave()
            self.left.insert(departure.lane.description)
            device.ledger.lanes.insert(departure.lane.description)
            try device.attach(to: device.replica)
        }
        note("\(device.name) is in the lane \(device.lane)")
    }

    /// A device with an empty store and a replica of its own.
    func join() throws {
        guard devices.count < 8, !script.setup.isOnDisk, try hasCard(0) else { return }
        let (index, place) = (devices.count, try addPlace(0, nil))
        let device = try SimulatedFolderDevice(
            "device \(index)", replica: tree(places[place]), storePath: nil, creating: false, design: design(index))
        device.clock.set(now)
        devices.append(device)
        placesOfDevice.append([place])
        register(index)
        note("\(device.name) joins")
    }

    /// Whether a replica is there and has its card.
    private func hasCard(_ number: Int) throws -> Bool {
        let place = places[number]
        let card = cards[place.courier]
        return try couriers[place.courier].isMounted(place.index) && tree(place).read(card.name) == card.bytes
    }
}
