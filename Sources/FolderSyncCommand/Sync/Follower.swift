import FileCoordination
import FolderSync
import LLVSCore

/// What `follow` prints of one pass.
private struct FollowUpdate: Encodable {
    let sync: SyncResult
    let export: ExportOutcome?

    func encode(to encoder: any Encoder) throws {
        try sync.encode(to: encoder)
        if let export {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(export, forKey: .export)
        }
    }

    private enum Key: CodingKey {
        case export
    }
}

/// Runs services until one fails or the task is cancelled, and prints and exports what they bring.
@MainActor
final class Follower {
    private let call: Invocation
    private let open: OpenStore
    private let bar: ProgressBar
    private var exporter: Exporter?
    private var exported: Version.ID?
    private var shown: Version.ID?
    /// What was wrong when it was last printed, by folder: it is not repeated at every pass.
    private var problems: [LaneID: [String]] = [:]

    init(_ call: Invocation, _ open: OpenStore, exportingTo folder: RealPath?, _ bar: ProgressBar) {
        self.call = call
        self.open = open
        self.bar = bar
        exporter = folder.map { Exporter(open.store, to: $0) }
    }

    func run(_ attachments: [FolderAttachment]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for attachment in attachments {
                let service = FolderSyncService(
                    coordinator: open.coordinator, exchange: open.exchange(with: attachment))
                let (states, passes, progress) = (service.states, service.passes, service.progress)
                group.addTask { try await service.run() }
                group.addTask { try await self.show(states, of: attachment) }
                group.addTask { for await pass in passes { try await self.show(pass, of: attachment) } }
                group.addTask { [bar] in for await step in progress { bar.show(step) } }
            }
            // A service ends only by an error or when it is cancelled.
            defer { group.cancelAll() }
            for try await _ in group {}
        }
    }

    private func show(_ states: AsyncStream<ConnectionState>, of attachment: FolderAttachment) async throws {
        var isAway = false
        for await state in states {
            switch state {
            case .following:
                if isAway { say("following \(printable(attachment.folder)) again") }
                isAway = false
            case .offline(let reason, let delay):
                isAway = true
                // So that the next pass is printed: it says what the folder brought.
                shown = nil
                say("offline: \(printable(reason)); trying again in \(delay.components.seconds) s")
            case .needsBootstrap(let reason): say("the store lacks what it needs: \(printable(reason))")
            case .connecting, .stopped: break
            }
        }
        try Task.checkCancellation()
    }

    private func say(_ line: String) {
        bar.clear()
        Program.say(line)
    }

    private func show(_ outcome: PassOutcome, of attachment: FolderAttachment) throws {
        var result = SyncResult()
        result.add(outcome)
        let isSame = shown == outcome.current && problems[attachment.lane] == result.problems
        let isRepeated = result.imported == 0 && result.sent == 0 && isSame
        let export = try export(outcome.current)
        if isRepeated, export == nil { return }
        shown = outcome.current
        problems[attachment.lane] = result.problems
        try result.finish(at: outcome.current, of: open.store)
        bar.clear()
        try call.report(
            FollowUpdate(sync: result, export: export),
            result.lines(open.names) + (export?.lines(open.names.short(outcome.current)) ?? []))
        try call.output.flush()
    }

    /// Nil if the version is exported already. A folder that cannot be written to is tried again at the next pass.
    private func export(_ version: Version.ID) throws -> ExportOutcome? {
        guard var exporter, exported != version else { return nil }
        exporter.trustsRecord = exported != nil
        exporter.progress = { [bar] in bar.show($0, of: $1) }
        do {
            let outcome = try exporter.run(version)
            exported = version
            return outcome
        } catch let error as FileCoordinationError {
            bar.clear()
            Program.say(errorLine(error))
            return nil
        }
    }
}
