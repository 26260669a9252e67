import FolderSync
import LLVSCore

extension Command {
    static let sync = Command(
        syntax: CommandSyntax(
            name: "sync", summary: "Exchanges versions with the shared folder, once.", arguments: [.store],
            options: [
                .init(
                    name: "--llvs", value: "DIR",
                    help: "exchange with a folder of devices that run LLVS, in its format, and with no other")
            ],
            details: [
                """
                Retrieves, merges and sends. Files that are late, damaged or from a newer version of this program are reported
                and stop nothing else; nothing is lost, and the next sync looks again.
                """,
                """
                With --llvs the store need not be attached. DIR is the folder that LLVS's FileSystemExchange uses, with
                'versions' and 'changes' in it; they are made if it is empty.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        if call.arguments.has("--llvs") { return try await syncLLVS(call, open) }
        let bar = call.progressBar("syncing")
        defer { bar.clear() }
        var result = SyncResult()
        var passes = 0
        var failures: [any Error] = []
        for attachment in try open.attachments() {
            do {
                let outcome = try await open.exchange(with: attachment, bar).pass(open.coordinator)
                result.add(outcome)
                passes += 1
                // What came is taken in all the same.
                if let failure = outcome.sendFailure { failures.append(failure) }
            } catch {
                // One folder that is not there must not keep the others waiting.
                failures.append(error)
            }
        }
        bar.clear()
        if passes > 0 {
            try result.finish(at: try await open.current(), of: open.store)
            try call.report(result, try result.lines(open.names))
        }
        for error in failures.dropLast() { Program.say(errorLine(error)) }
        if let error = failures.last { throw error }
    }
    @MainActor
    private static func syncLLVS(_ call: Invocation, _ open: OpenStore) async throws {
        let folder = try open.folder(call["--llvs"])
        let bar = call.progressBar("syncing")
        defer { bar.clear() }
        let exchange = FileSystemExchange(
            store: open.store, folder: folder.text, progress: { bar.show($0, of: $1) })
        let retrieved = try await exchange.retrieve()
        var result = SyncResult()
        let merge = try await open.coordinator.merge(publishing: !retrieved.isAwaitingAnnounced)
        var failure: (any Error)?
        var report = retrieved
        do { report = report.followed(by: try await exchange.send()) } catch {
            // What came is taken in all the same.
            failure = error
        }
        bar.clear()
        result.add(report, merge)
        try result.finish(at: try await open.current(), of: open.store)
        try call.report(result, try result.lines(open.names))
        if let failure { throw failure }
    }
}
