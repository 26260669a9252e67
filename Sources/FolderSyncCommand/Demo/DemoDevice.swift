import FolderSync
import LLVSCore

/// A device of the demo: a store, and a replica of the shared folder.
@MainActor
struct DemoDevice {
    let name: String
    let replica: String
    let open: OpenStore
    private let exchange: FolderExchange

    /// Makes the device's store below `home`, which exists, and attaches it to its replica.
    init(_ name: String, in home: String, creating: Bool) throws {
        self.name = name
        replica = home + "/Shared"
        let path = home + "/notes.store"
        try Store.create(at: path).close()
        open = try OpenStore(at: path)
        let attachment = try FolderExchange.attach(open.store, to: replica, creating: creating)
        exchange = FolderExchange(store: open.store, attachment: attachment)
    }

    func write(_ notes: KeyValuePairs<String, String>) async throws {
        try await open.coordinator.save(
            notes.map { .insert(Value(id: try Value.ID($0.key), $0.value)) }, basedOn: try await open.current())
    }

    func read(_ note: String, at version: Version.ID? = nil) async throws -> String {
        let place = if let version { version } else { try await open.current() }
        let bytes = try open.store.bytes(of: try Value.ID(note), at: place) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    /// One pass, told if anything happened.
    @discardableResult
    func sync(_ story: Story) async throws -> PassOutcome {
        let outcome = try await exchange.pass(open.coordinator)
        let report = outcome.report
        var parts = [
            report.sent > 0 ? "sends \(counted(report.sent, "version"))" : nil,
            report.imported > 0 ? "takes in \(report.imported)" : nil,
        ].compactMap(\.self)
        if outcome.merge.made > 0 { parts.append("merges") }
        if !parts.isEmpty { try story.tell(name, "syncs: " + parts.joined(separator: ", ")) }
        for item in report.waiting { try story.tell(name, "waits for \(item.file.prefix(12))...: \(item.reason)") }
        if let failure = outcome.sendFailure { throw failure }
        return outcome
    }

    func digest() async throws -> Digest { try open.store.digest(at: try await open.current()) }

    func close() throws { try open.store.close() }
}
