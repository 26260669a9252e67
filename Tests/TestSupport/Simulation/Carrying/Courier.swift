import FolderSync

/// Carries files between replicas of a shared folder, as badly as sync services do while something is wrong, or well.
///
/// It knows nothing of what is in the files, except that ``heal(keeping:)`` tells good bytes from bad ones.
///
/// Unchecked: one test uses it, from one task.
public final class Courier: @unchecked Sendable {
    /// The replicas it serves.
    public private(set) var replicas: [SimulatedFolderTree]
    /// What all replicas had when they were last the same: what is gone from one since then was deleted there, and what is
    /// different was changed there.
    private var synced: [String: [UInt8]] = [:]
    var backups: [Int: [String: [UInt8]]] = [:]
    var away: Set<Int> = []
    /// Files of which only a stub is on a replica's disk.
    var stubbed: [Int: [String: [UInt8]]] = [:]
    /// In which order names came up, so that "the third file" stays the same file whatever its hash is.
    private var births: [String: Int] = [:]

    /// A courier between these replicas.
    public init(replicas: [SimulatedFolderTree]) { self.replicas = replicas }

    /// A further replica, with what one of the others has.
    public func add(_ replica: SimulatedFolderTree, like other: Int) {
        if away.contains(other) { away.insert(replicas.count) }
        stubbed[replicas.count] = stubbed[other]
        replicas.append(replica)
    }

    /// Whether a replica is mounted.
    public func isMounted(_ at: Int) -> Bool { !away.contains(at) }

    /// The files of a replica in the order in which they came up anywhere.
    func files(at index: Int) throws -> [String] {
        guard isMounted(index) else { return [] }
        let names = try replicas[index].list()
        for name in names where births[name] == nil { births[name] = births.count }
        return names.sorted { births[$0] ?? 0 < births[$1] ?? 0 }
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

    /// Takes a replica away and leaves an empty directory, or nothing, in its place.
    public func unmount(_ at: Int, leavingDirectory: Bool) throws {
        guard away.insert(at).inserted else { return }
        try replicas[at].unmount(leavingDirectory: leavingDirectory)
    }

    /// Puts a replica back that was taken away.
    public func mount(_ at: Int) throws {
        guard away.remove(at) != nil else { return }
        try replicas[at].mount()
    }
}

// MARK: - When nothing is wrong

extension Courier {
    /// The faults are over: every replica gets the good bytes of each file if any replica has them, and conflict copies that
    /// hold nothing good are thrown away. What is good nowhere stays as it is, for its owner to write again.
    ///
    /// - Parameter kept: files that the carrier brings back although no replica has them any more.
    public func heal(keeping kept: [String: [UInt8]] = [:]) throws {
        for at in away.sorted() { try mount(at) }
        for at in stubbed.keys.sorted() { try restoreStubs(at) }
        let contents = try replicas.map { try $0.contents() }
        for file in Set(contents.flatMap(\.keys)).union(kept.keys).sorted() {
            let copies = contents.compactMap { $0[file] } + [kept[file]].compactMap(\.self)
            if let good = copies.first(where: { Self.isGood($0) }) {
                for (replica, held) in zip(replicas, contents) where !good.isSame(as: held[file]) {
                    try replica.write(good, to: file)
                }
            } else if case .stranger = FolderFileName(String(file.split(separator: "/").last ?? "")) {
                for replica in replicas { try replica.remove(file) }
            }
        }
        synced = [:]
        try syncAll()
    }

    private static func isGood(_ bytes: [UInt8]) -> Bool {
        if IdentityCard.decode(bytes).verified != nil { return true }
        return FolderFile.decode(bytes).verified != nil
    }

    /// Makes all replicas the same, as a sync service at rest does: new files go everywhere, and so do deletions.
    public func syncAll() throws {
        let contents = try replicas.map { try $0.contents() }
        for file in Set(contents.flatMap(\.keys)).union(synced.keys).sorted() {
            let copies = contents.map { $0[file] }
            let before = synced[file]
            guard let winner = copies.first(where: { !Self.areSame($0, before) }) else { continue }
            synced[file] = winner
            for (replica, copy) in zip(replicas, copies) where !Self.areSame(copy, winner) {
                if let winner { try replica.write(winner, to: file) } else { try replica.remove(file) }
            }
        }
    }

    private static func areSame(_ one: [UInt8]?, _ other: [UInt8]?) -> Bool {
        one.map { $0.isSame(as: other) } ?? (other == nil)
    }
}
