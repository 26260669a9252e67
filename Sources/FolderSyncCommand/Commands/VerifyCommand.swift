import FileCoordination
import FolderSync
import LLVSCore

private struct VerifyResult: Encodable {
    /// "store" or "folder".
    let kind: String
    let clean: Bool
    let versions: Int
    let problems: [SkippedItem]
    /// Files that are incomplete or wait for others, which is no damage.
    let waiting: [SkippedItem]
    /// Of a folder: how many files are of each kind.
    var files: [String: Int]?
}

/// One thing that is wrong, or was and was mended: a line for programs.
private struct VerifyFinding: Encodable {
    /// "problem" or "repaired".
    let finding: String
    let file: String
    let reason: String
}

extension Invocation {
    /// The level that an option names, or nil if it is not given.
    func verifyLevel(_ option: String) throws -> VerifyLevel? {
        guard let name = arguments.value(option) else { return nil }
        guard let level = VerifyLevel(rawValue: name) else {
            throw UsageError(what: "'\(name)' is no level: names, hash or deep", syntax: syntax)
        }
        return level
    }
}

extension Command {
    static let verify = Command(
        syntax: CommandSyntax(
            name: "verify", summary: "Checks every byte of a store or a shared folder.",
            arguments: [.init(name: "STORE|FOLDER", help: "a store, or a folder that stores are attached to")],
            options: [
                .init(
                    name: "--level", value: "LEVEL",
                    help: "how much is verified: names, hash or deep (default)"),
                .init(
                    name: "--repair",
                    help: "make again what follows from a store's versions: its lists and maps; needs deep"),
            ],
            details: [
                """
                A store. names: which versions there are, their ids, parents and changes; reads no value. hash: also every value's
                hash and the database's own check. deep: also every map, compared with what the changes make it.
                """,
                """
                A shared folder. names: which files there are and which numbers are missing; opens no file but the card. hash: every
                byte against the hash of its file. deep: also versions, parents and values, across files. What is found is ok,
                arriving, damaged, duplicate, stray, future (from a newer version), foreign (of another store) or a gap; strays
                and duplicates are no fault.
                """,
                """
                Writes nothing, unless '--repair' finds a list or a map that is wrong: they follow from the versions, and every
                version and value that is there is found again. Exits with 1 if anything is wrong. With '--json' each problem is
                a line, and the result the last.
                """,
            ])
    ) { call in
        let name = call["STORE|FOLDER"]
        let path = RealPath(name)
        let bar = call.progressBar("verifying")
        defer { bar.clear() }
        let level = try call.verifyLevel("--level")
        let repairs = call.arguments.has("--repair")
        if repairs, level ?? .deep != .deep {
            throw UsageError(what: "--repair needs the level deep", syntax: call.syntax)
        }
        let result: VerifyResult
        if let store = try storeIfOne(at: path) {
            result = try verify(store, path, level ?? .deep, repairs: repairs, call, bar)
        } else {
            if repairs {
                throw CommandError(
                    "'\(name)' is no store", remedy: "mend a shared folder with 'foldersync repair STORE'")
            }
            result = try verifyFolder(path, name, level ?? .deep, call, bar)
        }
        bar.clear()
        try call.report(result, result.lines)
        if !result.clean {
            throw CommandError(
                result.problems.isEmpty
                    ? "\(counted(result.waiting.count, "file")) of '\(name)' not complete"
                    : "\(counted(result.problems.count, "problem")) found in '\(name)'",
                remedy: result.problems.isEmpty
                    ? "wait until the folder has synced and verify again"
                    : result.kind == "store"
                        ? "try '--repair'; if that does not mend it, restore a snapshot or sync a new store"
                        : "run 'foldersync repair' on the devices that wrote these files")
        }
    }

    @MainActor
    private static func verifyFolder(
        _ path: RealPath, _ name: String, _ level: VerifyLevel, _ call: Invocation, _ bar: ProgressBar
    ) throws -> VerifyResult {
        let found: FolderVerification
        do {
            found = try FolderVerification(of: path.text, level: level) { bar.show($0, of: $1) }
        } catch let error as FolderSyncError where error.code == .folderEmptyOrUnmounted {
            if let other = try whatElse(path, name) { throw other }
            throw error
        }
        bar.clear()
        let faults = found.findings.filter(\.kind.isFault)
        for finding in faults where call.printsJSON { try call.output.object(FindingItem(finding)) }
        return VerifyResult(
            kind: "folder", clean: found.isClean, versions: found.versions,
            problems: faults.filter { $0.kind != .arriving }.map {
                SkippedItem(file: $0.file, reason: "\($0.kind.rawValue): \($0.reason)")
            },
            waiting: found.waiting.map(SkippedItem.init),
            files: Dictionary(uniqueKeysWithValues: found.counts.map { ($0.key.rawValue, $0.value) }))
    }

    /// What a folder without a card is, if that can be said.
    private static func whatElse(_ path: RealPath, _ name: String) throws -> CommandError? {
        do {
            _ = try SnapshotManifest.read(in: path.text)
            return CommandError(
                "'\(name)' is a snapshot of a store, no shared folder",
                remedy: "'foldersync restore' verifies every byte of it as it puts it back")
        } catch let error as StoreError where error.code == .notASnapshot {
            let isEmpty = try LocalFileSystem.local.list(path.text).isEmpty
            return isEmpty
                ? nil
                : CommandError(
                    "'\(name)' is an ordinary folder: no store, no shared folder and no snapshot",
                    remedy: "name a store or the folder that it is attached to")
        } catch let error as StoreError {
            return CommandError(
                "'\(name)' is a snapshot of a store that is damaged: \(error.what)", remedy: error.remedy)
        }
    }

    /// Verifies a store, mends its maps if that is asked for and they need it, and then verifies it again.
    @MainActor
    private static func verify(
        _ store: Store, _ path: RealPath, _ level: VerifyLevel, repairs: Bool, _ call: Invocation, _ bar: ProgressBar
    ) throws -> VerifyResult {
        var problems = try store.verify(level) { bar.show($0, of: $1) }
        if repairs, !problems.isEmpty {
            let lists = try store.rebuildLists()
            let maps = try store.rebuildMaps(progress: { bar.show($0, of: $1) })
            bar.clear()
            for reason in lists + maps.map({ "the map of version \($0) was built again" }) {
                try call.report(VerifyFinding(finding: "repaired", file: path.text, reason: reason), [reason])
            }
            problems = try store.verify(level) { bar.show($0, of: $1) }
        }
        bar.clear()
        if call.printsJSON {
            for problem in problems {
                try call.output.object(VerifyFinding(finding: "problem", file: path.text, reason: problem))
            }
        }
        return VerifyResult(
            kind: "store", clean: problems.isEmpty, versions: try store.versionCount(),
            problems: problems.map { SkippedItem(file: path.text, reason: $0) }, waiting: [])
    }

    /// Nil if it is something else, perhaps a shared folder.
    static func storeIfOne(at path: RealPath) throws -> Store? {
        do {
            return try Store.open(at: path.text)
        } catch let error as StoreError where error.code == .notAStore {
            return nil
        }
    }
}

extension VerifyResult {
    fileprivate var lines: [String] {
        problems.map { "\(printable($0.file)): \(printable($0.reason))" } + waiting.summary("waiting")
            + (clean ? ["the \(kind) is sound: \(counted(versions, "version")) checked"] : [])
    }
}
