import LLVSCore

private struct MergeResult: Encodable {
    struct Left: Encodable {
        let head: String
        let reason: String
    }

    /// The current version afterwards.
    let current: String
    /// Whether it is another one than before.
    let changed: Bool
    /// Heads that nothing could merge, each with its reason.
    let left: [Left]
    /// Why the current version stays although there is a newer one.
    let stayed: String?
}

extension Command {
    static let merge = Command(
        syntax: CommandSyntax(
            name: "merge", summary: "Merges what came in, or branches, into the current version.", arguments: [.store],
            options: [.init(name: "--branch", value: "NAME", repeats: true, help: "a branch to take in as well")],
            details: [
                """
                All versions without a branch that no other stands on are merged; 'foldersync sync' does the same. Where both
                sides changed a value, the more recent change is kept, and 'foldersync forks' shows what lost.
                """,
                """
                A branch that is named is merged as it is now, and that counts as work: a version says so, and other
                devices get it. The branch stays and can be gone on with and merged again.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let branches = Set(call.arguments.list("--branch"))
        let before = try await open.current()
        var outcome: MergeOutcome
        if branches.isEmpty {
            outcome = try await open.coordinator.merge()
        } else {
            outcome = try await mergeBranches(branches.sorted(), of: open, before: before)
        }
        let result = MergeResult(
            current: outcome.current.description, changed: outcome.current != before,
            left: outcome.left.map { .init(head: $0.head.description, reason: $0.reason) }, stayed: outcome.stayed)
        var lines = [result.changed ? "merged: \(try open.names.short(outcome.current))" : "nothing to merge"]
        lines += try outcome.left.map { "left \(try open.names.short($0.head)): \(printable($0.reason))" }
        if let stayed = outcome.stayed { lines.append("the current version stays: \(stayed)") }
        try call.report(result, lines)
    }

    /// Merges heads and branches. The result is one that this store's other merges start from: firm, and on no branch.
    @MainActor
    private static func mergeBranches(
        _ names: [String], of open: OpenStore, before: Version.ID
    ) async throws -> MergeOutcome {
        var isNew = false
        for name in names {
            _ = try open.head(of: name)
            for head in try open.store.heads(of: Branch(rawValue: name)) where !isNew {
                isNew = try !open.store.isAncestor(head.id, of: before)
            }
        }
        let coordinator = StoreCoordinator(store: open.store, selecting: Set(names.map { Branch(rawValue: $0) }))
        let outcome = try await coordinator.merge()
        let current = try open.store.version(outcome.current)
        guard current.branch != nil || (isNew && current.kind != .authored) else { return outcome }
        _ = try open.store.makeEmptyVersion(basedOn: current.id)
        var settled = try await open.coordinator.merge()
        settled.left = outcome.left
        return settled
    }
}
