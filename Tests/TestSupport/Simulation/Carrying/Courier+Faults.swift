/// What a carrier, a person or a disk does to the files of one replica. Files are named by their number in
/// ``Courier/files(at:)``, counted around.
extension Courier {
    private func pick(_ number: Int, at index: Int) throws -> (file: String, bytes: [UInt8])? {
        let files = try files(at: index)
        guard !files.isEmpty else { return nil }
        let file = files[number % files.count]
        return try replicas[index].read(file).map { (file, $0) }
    }

    /// Delivers some of the files that the target lacks or has otherwise, in any order, the first of them harmed. Returns
    /// their names.
    func deliver(_ count: Int, from source: Int, to target: Int, order: UInt64, _ harm: SimulationHarm) throws
        -> [String]
    {
        guard source != target, isMounted(source), isMounted(target) else { return [] }
        var random = SimulatedFolderRandom(seed: order)
        let missing = try files(at: source).filter { try replicas[source].read($0) != replicas[target].read($0) }
        let chosen = Array((order == 0 ? missing : missing.shuffled(using: &random)).prefix(count))
        for (place, file) in chosen.enumerated() {
            guard let bytes = try replicas[source].read(file) else { continue }
            try replicas[target].write(place == 0 ? harm.applied(to: bytes) : bytes, to: file)
            stubbed[target]?[file] = nil
        }
        return chosen
    }

    /// Spoils a file in place.
    func spoil(_ number: Int, at index: Int, _ harm: SimulationHarm) throws -> String? {
        guard let (file, bytes) = try pick(number, at: index) else { return nil }
        try replicas[index].write(harm.applied(to: bytes), to: file)
        return file
    }

    /// Makes a copy under the name that a service gives to the loser of a conflict; the original stays, is cut, or goes.
    func makeConflict(
        _ number: Int, at index: Int, service: Int, _ original: SimulationOriginal
    ) throws -> String? {
        guard let (file, bytes) = try pick(number, at: index) else { return nil }
        try replicas[index].write(bytes, to: CourierNames.conflict(file, service: service))
        switch original {
        case .stays: break
        case .cut: try replicas[index].write(Array(bytes.prefix(bytes.count / 2)), to: file)
        case .gone: try replicas[index].remove(file)
        }
        return file
    }

    /// Deletes a file.
    func delete(_ number: Int, at index: Int) throws -> String? {
        guard let (file, _) = try pick(number, at: index) else { return nil }
        try replicas[index].remove(file)
        return file
    }

    /// Takes a file's bytes from the disk and leaves a stub, as iCloud Drive does.
    func stub(_ number: Int, at index: Int) throws -> String? {
        guard let (file, bytes) = try pick(number, at: index), !file.hasSuffix(".icloud") else { return nil }
        try replicas[index].remove(file)
        try replicas[index].write(Array("bplist00".utf8), to: Self.stubName(file))
        stubbed[index, default: [:]][file] = bytes
        return file
    }

    private static func stubName(_ file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return ".\(file).icloud" }
        return "\(file[...slash]).\(file[file.index(after: slash)...]).icloud"
    }

    /// Brings the bytes of all stubs back.
    func restoreStubs(_ index: Int) throws {
        guard isMounted(index) else { return }
        for (file, bytes) in (stubbed[index] ?? [:]).sorted(by: { $0.key < $1.key }) {
            try replicas[index].remove(Self.stubName(file))
            if try replicas[index].read(file) == nil { try replicas[index].write(bytes, to: file) }
        }
        stubbed[index] = nil
    }

    /// Leaves what systems and services leave lying about, in the folder or in one of its directories.
    func leaveJunk(_ kind: Int, at index: Int) throws -> String? {
        guard isMounted(index) else { return nil }
        let name = CourierNames.junk[kind % CourierNames.junk.count]
        let places = [""] + (try replicas[index].directories().map { $0 + "/" })
        let path = places[kind / CourierNames.junk.count % places.count] + name
        try replicas[index].write([UInt8](repeating: 7, count: 40), to: path)
        return path
    }

    /// Remembers what a replica has, for ``rollBack(_:)``.
    func backUp(_ index: Int) throws {
        if isMounted(index) { backups[index] = try replicas[index].contents() }
    }

    /// Puts a replica back to what it had.
    func rollBack(_ index: Int) throws {
        guard isMounted(index), let backup = backups[index] else { return }
        stubbed[index] = nil
        try replicas[index].replace(with: backup)
    }
}
