/// A command: how it is called, and what it does.
struct Command: Sendable {
    let syntax: CommandSyntax
    /// Runs on the main thread, which may block: it is no thread of Swift's cooperative pool.
    let run: @MainActor @Sendable (Invocation) async throws -> Void

    /// Every command, in the order of the help: those that work on a store, and those that need none.
    static let all = storeCommands + folderCommands

    static let storeCommands = valueCommands + historyCommands + sharingCommands + careCommands
    private static let valueCommands = [
        demo, initialize, set, get, remove, list, importing, exporting, importingLLVS,
    ]
    private static let historyCommands = [log, diff, revert, branch, merge, forks, graph]
    private static let sharingCommands = [mirror, attach, detach, sync, follow, status]
    private static let careCommands = [stats, verify, repair, snapshot, restore, compact]
    static let folderCommands = [watch, conflicts, resolve, folders]
}

/// One call of a command.
@MainActor
struct Invocation {
    let syntax: CommandSyntax
    let arguments: ParsedArguments
    let output: Output

    var printsJSON: Bool { arguments.has(CommandSyntax.json.name) }

    /// A required argument or option.
    subscript(name: String) -> String { arguments.value(name) ?? "" }

    /// Prints the one result of the command: for programs or for people.
    func report(_ result: some Encodable, _ lines: @autoclosure () throws -> [String]) throws {
        if printsJSON { return try output.object(result) }
        for line in try lines() { try output.line(line) }
    }

    /// A bar on standard error, if that is a terminal.
    func progressBar(_ title: String) -> ProgressBar { ProgressBar(title) }
}
