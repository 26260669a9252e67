import FileCoordination
import LLVSCore

private struct StatsResult: Encodable {
    struct File: Encodable {
        let name: String
        let bytes: Int64
    }

    let versions: Int
    /// Merges of this device's own that are not part of the history.
    let looseVersions: Int
    let heads: Int
    let branches: Int
    /// Values at the current version.
    let values: Int
    let mapDepth: Int
    let mapNodes: Int
    /// Of all versions.
    let storedNodes: Int
    let storedContents: Int
    /// The store's files, without those of folders in it.
    let files: [File]
    let bytes: Int64

    init(_ counts: StoreStatistics, _ files: [File]) {
        versions = counts.versions
        looseVersions = counts.looseVersions
        heads = counts.heads
        branches = counts.branches
        values = counts.values
        mapDepth = counts.mapDepth
        mapNodes = counts.mapNodes
        storedNodes = counts.storedNodes
        storedContents = counts.storedContents
        self.files = files
        bytes = files.reduce(0) { $0 + $1.bytes }
    }

    var lines: [String] {
        let rows = [
            ("versions", "\(versions)"), ("not shared", "\(looseVersions)"), ("heads", "\(heads)"),
            ("branches", "\(branches)"), ("values", "\(values)"),
            ("map", "\(counted(mapDepth, "level")), \(counted(mapNodes, "node"))"),
            ("of all versions", "\(counted(storedContents, "content")), \(counted(storedNodes, "node"))"),
            ("on disk", "\(bytes) bytes"),
        ]
        return CommandSyntax.aligned(
            rows.map { (name: $0.0, help: $0.1) }
                + files.map { (name: "  " + printable($0.name), help: "\($0.bytes) bytes") })
    }
}

extension Command {
    static let stats = Command(
        syntax: CommandSyntax(
            name: "stats", summary: "Counts what a store holds, and its bytes on disk.", arguments: [.store],
            details: [
                """
                The map is the index of the current version's values; the maps of all versions share the nodes that are equal.
                A log (-wal) is part of the store until it is copied into the database.
                """
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let counts = try open.store.statistics(at: try await open.current())
        let result = StatsResult(counts, try files(in: open.path.text))
        try call.report(result, result.lines)
    }

    private static func files(in folder: String) throws -> [StatsResult.File] {
        let files = LocalFileSystem.local
        var found: [StatsResult.File] = []
        do {
            for entry in try files.list(folder) {
                // The store's own files have plain names.
                guard let name = entry.name else { continue }
                do throws(Errno) {
                    let attributes = try files.attributes(at: folder + "/" + name, followLinks: false)
                    if attributes.kind == .file { found.append(.init(name: name, bytes: attributes.size)) }
                } catch {
                    // Gone since it was listed.
                    if error != .noSuchFile { throw error }
                }
            }
        } catch let error as Errno {
            throw FileCoordinationError.reading(folder, error)
        }
        return found.sorted { $0.name < $1.name }
    }
}
