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
}

extension Command {
    static let verify = Command(
        syntax: CommandSyntax(
            name: "verify", summary: "Checks every byte of a store or a shared folder.",
            arguments: [.init(name: "STORE|FOLDER", help: "a store, or a folder that stores are attached to")],
            details: ["Writes nothing. Exits with 1 if anything is wrong."])
    ) { call in
        let name = call["STORE|FOLDER"]
        let path = RealPath(name)
        let bar = call.progressBar("verifying")
        defer { bar.clear() }
        let result: VerifyResult
        if let store = try storeIfOne(at: path) {
            let problems = try store.verify { bar.show($0, of: $1) }
            result = VerifyResult(
                kind: "store", clean: problems.isEmpty, versions: try store.versionCount(),
                problems: problems.map { SkippedItem(file: path.text, reason: $0) }, waiting: [])
        } else {
            let findings = try FolderVerification(of: path.text) { bar.show($0, of: $1) }
            result = VerifyResult(
                kind: "folder", clean: findings.isClean, versions: findings.versions,
                problems: findings.problems.map(SkippedItem.init), waiting: findings.waiting.map(SkippedItem.init))
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
                        ? "restore it from a backup, or attach a new store to the shared folder"
                        : "run 'foldersync sync' on the devices that wrote these files")
        }
    }

    /// Nil if it is something else, perhaps a shared folder.
    private static func storeIfOne(at path: RealPath) throws -> Store? {
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
