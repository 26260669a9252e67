import FolderSync
import LLVSCore

private struct RepairResult: Encodable {
    let folder: String
    /// Own files that were written again.
    let restored: Int
    /// Versions of others whose files were lost, published here.
    let carried: Int
    let clean: Bool
    /// What stays as it is.
    let broken: [FindingItem]
}

extension Command {
    static let repair = Command(
        syntax: CommandSyntax(
            name: "repair", summary: "Writes again in the shared folders what was lost or damaged.",
            arguments: [.store],
            details: [
                """
                Reads every byte of the folders. Own files that are missing or wrong are written again, and versions whose files
                other devices have lost are published by this one, if it has them. Nothing is deleted, and no other device's file
                is touched: what stays broken is listed, with who could mend it. Exits with 1 if anything does.
                """,
                "A store itself is mended by 'foldersync verify --repair'.",
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let bar = call.progressBar("repairing")
        defer { bar.clear() }
        var broken = 0
        for attachment in try open.attachments() {
            let exchange = open.exchange(with: attachment, bar)
            let repair = try await exchange.repair()
            let lanes = try await exchange.lanes()
            bar.clear()
            let items = repair.verification.findings.filter(\.kind.isFault).map { finding in
                FindingItem(finding, remedy: remedy(for: finding, lanes))
            }
            broken += items.count
            let result = RepairResult(
                folder: attachment.folder, restored: repair.report.restored, carried: repair.report.carried,
                clean: items.isEmpty, broken: items)
            try call.report(
                result,
                items.map(\.line) + [
                    "\(printable(attachment.folder)): \(counted(result.restored, "own file")) written again, "
                        + "\(counted(result.carried, "version")) of others published"
                ])
        }
        if broken > 0 {
            throw CommandError(
                "\(counted(broken, "problem")) that this device cannot mend",
                remedy: "run 'foldersync repair' on the other devices")
        }
    }

    /// Who could mend it.
    private static func remedy(for finding: FolderVerification.Finding, _ lanes: [LaneStatus]) -> String {
        let directory = finding.file.split(separator: "/").first.map(String.init) ?? ""
        switch finding.kind {
        case .future: return "update this software"
        case .foreign: return "it is another store's: move it away, or attach that store with --adopt"
        case .arriving, .damaged, .gap, .ok, .duplicate, .stray: break
        }
        guard let lane = lanes.first(where: { $0.lane.description == directory }) else {
            return "move it away, or sync the device that wrote it"
        }
        if lane.isMine { return "check the disk, and repair again" }
        return lane.isRetired
            ? "its device is gone; what it held, any device that has it publishes with 'foldersync repair'"
            : "sync the device that writes this lane"
    }
}
