public import FileCoordination
import Foundation

/// Brings every version of a store made by LLVS into a store of this package: of its FileStorage and of its SQLiteStorage.
///
/// Ids, predecessors, branches, metadata and values are kept, so that a device may import its LLVS store and then exchange
/// with others that still run LLVS. The store that is read is never written to. Importing again adds what is new.
public struct LLVSStoreImport: Sendable {
    /// How LLVS keeps the store.
    public enum Kind: String, Hashable, Sendable {
        /// Plain files.
        case fileStorage
        /// SQLite databases, and files for versions.
        case sqliteStorage
    }

    /// The store's root directory.
    public let directory: String
    /// How it is kept.
    public let kind: Kind
    private let files: any FileSystem

    /// Looks at a directory.
    /// - Throws: ``StoreError`` with `.notAStore` if it is no store of LLVS's.
    public init(directory: String, files: any FileSystem = .local) throws(StoreError) {
        func has(_ name: String, _ kind: FileKind) -> Bool {
            do { return try files.attributes(at: "\(directory)/\(name)", followLinks: true).kind == kind } catch {
                return false
            }
        }
        self.directory = directory
        self.files = files
        guard has("versions", .directory), has("values", .directory), has("maps", .directory) else {
            let isExchange = has("versions", .directory) && has("changes", .directory)
            throw StoreError(
                .notAStore, "the directory is no store made by LLVS",
                remedy: isExchange
                    ? "it is a folder that LLVS exchanges through: sync with it instead"
                    : "give the root directory of one, which has the folders versions, values and maps",
                path: directory)
        }
        kind = has("values/zone.sqlite", .file) ? .sqliteStorage : .fileStorage
    }

    /// Imports into `store`. Blocks the thread.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - progress: told how many versions of how many are done.
    /// - Returns: what was imported, and each version that was not, with its file and the reason; the others are in.
    /// - Throws: ``StoreError`` if the directory cannot be listed, a database not be opened, or the store not be written.
    public func run(
        into store: Store, now: Int64 = Store.wallClock(), progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> LLVSReport {
        let (values, map) = (try zone("values"), LLVSMap(zone: try zone("maps/__llvs_values")))
        var report = LLVSReport()
        let candidates = try candidates(for: store, &report)
        var admission = LLVSAdmission(store: store, now: now, report: report)
        for candidate in candidates { admission.add(candidate) }
        try admission.run(
            changes: { candidate, report in
                do {
                    return try changes(of: candidate.version, map, values)
                } catch let error as StoreError where !error.isOfStorage {
                    report.damaged.append(LLVSReport.Item(file: candidate.file, reason: error.what))
                    return nil
                }
            }, note: { _, _ in }, progress: progress)
        try admission.reportWaiting()
        return admission.report
    }

    private func zone(_ name: String) throws -> any LLVSZone {
        switch kind {
        case .fileStorage: LLVSFileZone(path: "\(directory)/\(name)", files: files)
        case .sqliteStorage: try LLVSDatabaseZone(path: "\(directory)/\(name)/zone.sqlite")
        }
    }

    /// What a version has otherwise than its first predecessor, from the maps. All of it is read, whoever stored it: after a
    /// compaction the version that did may be gone.
    private func changes(of version: LLVSVersion, _ map: LLVSMap, _ values: any LLVSZone) throws -> [LLVSChange] {
        try map.differences(from: version.first, to: version.id).map { id, stored in
            guard let stored else { return .remove(id) }
            guard let bytes = try values.plainData(of: id.rawValue, at: stored) else {
                throw StoreError(
                    .valueUnreadable, "the value '\(id)' is missing", remedy: "take the version from another copy")
            }
            return .set(id, bytes, isNew: true)
        }
    }
}

// MARK: - Versions

extension LLVSStoreImport {
    /// The versions that the store does not have.
    private func candidates(for store: Store, _ report: inout LLVSReport) throws -> [LLVSAdmission.Candidate] {
        var candidates: [Version.ID: LLVSAdmission.Candidate] = [:]
        for file in try versionFiles() {
            try Task.checkCancellation()
            guard let version = read(file, &report) else { continue }
            if let known = try store.llvsVersion(version.id) ?? candidates[version.id]?.version {
                if !version.says(theSameAs: known) {
                    let reason = "the version \(version.id) is known with other content; what came first is kept"
                    report.damaged.append(LLVSReport.Item(file: file, reason: reason))
                }
                continue
            }
            candidates[version.id] = LLVSAdmission.Candidate(version: version, file: file)
        }
        return Array(candidates.values)
    }

    /// Every JSON file at the first and second level: the folders only spread them.
    private func versionFiles() throws -> [String] {
        do throws(Errno) {
            var found: [String] = []
            for name in try files.list("\(directory)/versions").compactMap(\.name) where !name.hasPrefix(".") {
                let path = "versions/\(name)"
                switch try files.attributes(at: "\(directory)/\(path)", followLinks: false).kind {
                case .file: found.append(path)
                case .directory:
                    let names = try files.list("\(directory)/\(path)", followLinks: false).compactMap(\.name)
                    found += names.filter { !$0.hasPrefix(".") }.map { "\(path)/\($0)" }
                case .link, .other: continue
                }
            }
            return found.filter { $0.hasSuffix(".json") }.sorted()
        } catch {
            throw StoreError(
                .inputOutput, "the store to import cannot be listed", remedy: "check its disk and rights",
                path: directory, cause: "\(error)")
        }
    }

    private func read(_ file: String, _ report: inout LLVSReport) -> LLVSVersion? {
        do {
            let bytes = try files.readFile(
                at: "\(directory)/\(file)", limit: LLVSFolder.greatestVersionFile, followLinks: false)
            return try JSONDecoder().decode(LLVSVersion.self, from: Data(bytes))
        } catch let error as FileCoordinationError {
            report.damaged.append(LLVSReport.Item(file: file, reason: "it cannot be read: \(error)"))
        } catch {
            let reason = "it is cut off, or not a version as LLVS writes it"
            report.damaged.append(LLVSReport.Item(file: file, reason: reason))
        }
        return nil
    }
}

extension Store {
    /// A firm version of the store as LLVS's files have it, or nil.
    func llvsVersion(_ id: Version.ID) throws -> LLVSVersion? {
        try inspect { view in
            guard try view.state(of: id) == .firm, id != .root else { return nil }
            let outgoing = try view.outgoing(id)
            return try LLVSVersion(of: outgoing.stored.version(), header: outgoing.headerBytes)
        }
    }
}
