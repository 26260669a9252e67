import LLVSCore

extension ExchangeZones {
    /// Digest of a manifest → how each file of that own set looked when it was last read and right.
    static let ownSetSeen = KeyedZone("f_set_seen")
}

/// Looks whether the sets that this attachment keeps are in the folder as they were written. A file that looks as when it was
/// read last is not read again.
struct OwnSetCare {
    let publisher: SnapshotPublisher
    let listing: SharedFolder.Listing

    private var store: Store { publisher.writer.store }
    private var zones: ExchangeZones { publisher.writer.zones }

    /// A set of which files are missing or wrong.
    struct Broken {
        let set: OwnSetRecord
        /// The indices of these files.
        let indices: [Int]
    }

    /// Reads what changed since it was read last, and all of a set that was just written: then it is verified.
    func look(at sets: [OwnSetRecord]) throws -> [Broken] {
        var listed: [String: SharedFolder.Signature] = [:]
        for file in listing.files { listed[file.path] = file.signature }
        return try sets.compactMap { try look(at: $0, listed) }
    }

    private func look(at set: OwnSetRecord, _ listed: [String: SharedFolder.Signature]) throws -> Broken? {
        if set.state == .planned { return nil }
        let before = set.state == .written ? nil : try seen(set)
        var now: [SharedFolder.Signature?] = []
        var broken: [Int] = []
        for index in 1...set.count {
            try Task.checkCancellation()
            let path = publisher.path(index, of: set)
            let signature = listed[path]
            now.append(signature)
            // Absence is known only where the lane could be listed.
            if signature == nil && !listing.shows(path) { continue }
            if signature != nil, let before, signature == before[index - 1] { continue }
            if try signature == nil || !publisher.isRight(path, index, of: set) { broken.append(index) }
        }
        if !broken.isEmpty { return Broken(set: set, indices: broken) }
        if set.state == .written || now != before { try confirm(set, now) }
        return nil
    }

    private func confirm(_ set: OwnSetRecord, _ signatures: [SharedFolder.Signature?]) throws {
        var verified = set
        verified.state = .verified
        var out = ByteWriter()
        for signature in signatures { SharedFolder.Signature.encode(signature, into: &out) }
        try store.exchange(now: publisher.now) {
            try zones.put(verified, in: $0.writer)
            try $0.writer.put(out.bytes, for: zones.key(set.digest.bytes), in: ExchangeZones.ownSetSeen)
        }
    }

    /// Nil if nothing fitting was noted: a store that an older version of this software used has nothing.
    private func seen(_ set: OwnSetRecord) throws -> [SharedFolder.Signature?]? {
        let bytes = try store.inspect { try $0.reader.value(zones.key(set.digest.bytes), in: ExchangeZones.ownSetSeen) }
        guard let bytes else { return nil }
        var reader = ByteReader(bytes, of: "how an own snapshot looked")
        var seen: [SharedFolder.Signature?] = []
        for _ in 0..<set.count { seen.append(try SharedFolder.Signature.decode(from: &reader)) }
        return seen
    }
}
