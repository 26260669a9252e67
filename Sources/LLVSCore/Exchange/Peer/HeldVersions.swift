/// Versions that came before their parents, within bounds: what does not fit is asked for later.
struct HeldVersions {
    let mostVersions: Int
    let mostBytes: Int
    private var parcels: [Version.ID: PeerParcel] = [:]
    private var children: [Version.ID: Set<Version.ID>] = [:]
    private var bytes = 0

    init(mostVersions: Int, mostBytes: Int) {
        self.mostVersions = mostVersions
        self.mostBytes = mostBytes
    }

    var isEmpty: Bool { parcels.isEmpty }
    var count: Int { parcels.count }

    mutating func hold(_ parcel: PeerParcel) {
        let id = parcel.record.id
        guard parcels[id] == nil, parcels.count < mostVersions, bytes + parcel.size <= mostBytes else { return }
        parcels[id] = parcel
        bytes += parcel.size
        for parent in parcel.record.version.parents { children[parent, default: []].insert(id) }
    }

    /// The versions that wait for this one, which are no longer held.
    mutating func take(childrenOf id: Version.ID) -> [PeerParcel] {
        (children[id] ?? []).sorted().compactMap { remove($0) }
    }

    mutating func remove(_ id: Version.ID) -> PeerParcel? {
        guard let parcel = parcels.removeValue(forKey: id) else { return nil }
        bytes -= parcel.size
        for parent in parcel.record.version.parents {
            children[parent]?.remove(id)
            if children[parent]?.isEmpty == true { children[parent] = nil }
        }
        return parcel
    }
}
