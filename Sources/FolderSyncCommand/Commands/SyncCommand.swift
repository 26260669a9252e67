import FolderSync
import LLVSCore

extension Command {
    static let sync = Command(
        syntax: CommandSyntax(
            name: "sync", summary: "Exchanges versions with the shared folder, once.", arguments: [.store],
            details: [
                """
                Retrieves, merges and sends. Files that are late, damaged or from a newer version of this program are reported
                and stop nothing else; nothing is lost, and the next sync looks again.
                """
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
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
}
