import FileCoordination
import FolderSync
import Foundation

/// Carries files between replicas of a shared folder, as badly as sync services do while something is wrong, or well.
///
/// It knows nothing of what is in the files, except that ``heal()`` tells good bytes from bad ones.
///
/// Unchecked: one test uses it, from one task.
public final class Courier: @unchecked Sendable {
    /// The replicas it serves.
    public let replicas: [SimulatedFolderTree]
    private var random: SimulatedFolderRandom
    /// What it did, for the message when something is found broken.
    public private(set) var log: [String] = []
    /// What all replicas had when they were last the same: what is gone from one since then was deleted there, and what is
    /// different was changed there.
    private var synced: [String: [UInt8]] = [:]
    private var backups: [Int: [String: [UInt8]]] = [:]
    private var away: Set<Int> = []

    /// A courier whose faults follow from the seed.
    public init(replicas: [SimulatedFolderTree], seed: UInt64) {
        self.replicas = replicas
        random = SimulatedFolderRandom(seed: seed)
    }

    /// Copies one file as it is.
    public func deliver(_ file: String, from source: Int, to target: Int) throws {
        guard let bytes = try replicas[source].read(file) else { return }
        try replicas[target].write(bytes, to: file)
    }

    /// Copies every file that the target lacks or has otherwise.
    public func deliverAll(from source: Int, to target: Int, where isWanted: (String) -> Bool = { _ in true }) throws {
        for file in try replicas[source].list() where isWanted(file) {
            guard let bytes = try replicas[source].read(file), try replicas[target].read(file) != bytes else {
                continue
            }
            try replicas[target].write(bytes, to: file)
        }
    }

    // MARK: - Faults

    /// Does something that a sync service, a person or a disk may do.
    public func disturb() throws {
        let present = replicas.indices.filter { !away.contains($0) }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<62: try deliverSome(among: present)
        case 62..<72: try makeConflict(among: present)
        case 72..<79: try loseFile(among: present)
        case 79..<84: try spoilFile(among: present)
        case 84..<88: try leaveJunk(among: present)
        case 88..<94: try backUpOrRollBack(among: present)
        default: try unmountOrMount()
        }
    }

    private func note(_ what: String) { log.append(what) }

    /// A few files that the target lacks or has otherwise, in random order, some of them badly.
    private func deliverSome(among present: [Int]) throws {
        guard present.count > 1 else { return }
        let pair = present.shuffled(using: &random)
        let (source, target) = (pair[0], pair[1])
        let count = Int.random(in: 1...6, using: &random)
        for file in try missing(from: source, to: target).shuffled(using: &random).prefix(count) {
            guard let bytes = try replicas[source].read(file) else { continue }
            let delivered: [UInt8]
            switch Int.random(in: 0..<20, using: &random) {
            case 0: delivered = []
            case 1, 2: delivered = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            case 3: delivered = [UInt8](repeating: 0, count: bytes.count)
            default: delivered = bytes
            }
            note("\(delivered == bytes ? "deliver" : "deliver badly") \(file) from \(source) to \(target)")
            try replicas[target].write(delivered, to: file)
        }
    }

    private func missing(from source: Int, to target: Int) throws -> [String] {
        try replicas[source].list().filter { file in
            if try replicas[source].size(file) != replicas[target].size(file) { return true }
            return try replicas[source].read(file) != replicas[target].read(file)
        }
    }

    private func anyFile(among present: [Int]) throws -> (Int, String, [UInt8])? {
        guard let at = present.randomElement(using: &random),
            let file = try replicas[at].list().randomElement(using: &random), let bytes = try replicas[at].read(file)
        else { return nil }
        return (at, file, bytes)
    }

    /// A copy under a conflict name; the original stays, is cut, or goes.
    private func makeConflict(among present: [Int]) throws {
        guard let (at, file, bytes) = try anyFile(among: present) else { return }
        let copy = CourierNames.conflict(file, service: Int.random(in: 0..<CourierNames.count, using: &random))
        try replicas[at].write(bytes, to: copy)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            try replicas[at].write(Array(bytes.prefix(bytes.count / 2)), to: file)
            note("conflict in \(at), original cut: \(file)")
        case 1:
            try replicas[at].remove(file)
            note("conflict in \(at), original renamed: \(file)")
        default: note("conflict in \(at): \(file)")
        }
    }

    private func loseFile(among present: [Int]) throws {
        guard let (at, file, _) = try anyFile(among: present) else { return }
        note("delete \(file) in \(at)")
        try replicas[at].remove(file)
    }

    private func spoilFile(among present: [Int]) throws {
        guard let (at, file, bytes) = try anyFile(among: present), !bytes.isEmpty else { return }
        var spoiled = bytes
        if random.oneIn(2) {
            spoiled = [UInt8](repeating: 0, count: bytes.count)
        } else {
            spoiled[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        note("spoil \(file) in \(at)")
        try replicas[at].write(spoiled, to: file)
    }

    private func leaveJunk(among present: [Int]) throws {
        guard let at = present.randomElement(using: &random), let name = CourierNames.junk.randomElement(using: &random)
        else { return }
        let directory = try replicas[at].directories().randomElement(using: &random)
        note("junk \(name) in \(at)")
        try replicas[at].write(random.bytes(40), to: directory.map { "\($0)/\(name)" } ?? name)
    }

    private func backUpOrRollBack(among present: [Int]) throws {
        guard let at = present.randomElement(using: &random) else { return }
        if let backup = backups.removeValue(forKey: at) {
            note("roll back \(at)")
            try replicas[at].replace(with: backup)
        } else {
            backups[at] = try replicas[at].contents()
        }
    }

    /// Takes a replica away and leaves an empty directory, or nothing, in its place.
    public func unmount(_ at: Int, leavingDirectory: Bool) throws {
        note("unmount \(at)")
        try FileManager.default.moveItem(atPath: replicas[at].path, toPath: replicas[at].path + ".away")
        if leavingDirectory {
            try LocalFileSystem().makeDirectory(replicas[at].path, permissions: .directory)
        }
        away.insert(at)
    }

    /// Puts a replica back that was taken away.
    public func mount(_ at: Int) throws {
        note("mount \(at)")
        do {
            try LocalFileSystem().removeDirectory(replicas[at].path)
        } catch {
            if error != .noSuchFile { throw error }
        }
        try FileManager.default.moveItem(atPath: replicas[at].path + ".away", toPath: replicas[at].path)
        away.remove(at)
    }

    private func unmountOrMount() throws {
        if let at = away.sorted().first {
            try mount(at)
        } else if let at = replicas.indices.randomElement(using: &random) {
            try unmount(at, leavingDirectory: random.oneIn(2))
        }
    }
}

// MARK: - When nothing is wrong

extension Courier {
    /// The faults are over: every replica gets the good bytes of each file if any replica has them, and conflict copies that
    /// hold nothing good are thrown away. What is good nowhere stays as it is, for its owner to write again.
    public func heal() throws {
        for at in away.sorted() { try mount(at) }
        let contents = try replicas.map { try $0.contents() }
        for file in Set(contents.flatMap(\.keys)).sorted() {
            let copies = contents.compactMap { $0[file] }
            if let good = copies.first(where: { Self.isGood($0, file) }) {
                for (replica, held) in zip(replicas, contents) where held[file] != good {
                    try replica.write(good, to: file)
                }
            } else if case .stranger = FolderFileName(String(file.split(separator: "/").last ?? "")) {
                for replica in replicas { try replica.remove(file) }
            }
        }
        synced = [:]
        try syncAll()
    }

    private static func isGood(_ bytes: [UInt8], _ file: String) -> Bool {
        if IdentityCard.decode(bytes).verified != nil { return true }
        return FolderFile.decode(bytes).verified != nil
    }

    /// Makes all replicas the same, as a sync service at rest does: new files go everywhere, and so do deletions.
    public func syncAll() throws {
        let contents = try replicas.map { try $0.contents() }
        for file in Set(contents.flatMap(\.keys)).union(synced.keys).sorted() {
            let copies = contents.map { $0[file] }
            let before = synced[file]
            guard let winner = copies.first(where: { $0 != before }) else { continue }
            synced[file] = winner
            for (replica, copy) in zip(replicas, copies) where copy != winner {
                if let winner { try replica.write(winner, to: file) } else { try replica.remove(file) }
            }
        }
    }
}
