import Foundation

/// The executable `foldersync`.
@main
enum Program {
    static let version = "0.1.0"

    @MainActor
    static func main() async {
        // A reader that goes away (`foldersync ls | head`) is seen as a failing write, not as a signal.
        signal(SIGPIPE, SIG_IGN)
        holdStandardDescriptors()
        exit(await run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs one call and returns its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
    @MainActor
    static func run(_ words: [String]) async -> Int32 {
        let output = Output()
        do {
            try Self.refuseMangledArguments()
            try await dispatch(words, output)
            try output.flush()
            return 0
        } catch let error as UsageError {
            let help = error.syntax.map { "\($0.name) --help" } ?? "help"
            say("error: \(printable(error.what)); see 'foldersync \(help)'")
            say(error.syntax?.usage ?? "usage: foldersync COMMAND [ARGUMENT...]")
            return 2
        } catch is Output.Closed {
            return 0
        } catch {
            // What was printed before the error is still true.
            do { try output.flush() } catch {}
            say(errorLine(error))
            return error is CancellationError ? 130 : 1
        }
    }

    @MainActor
    private static func dispatch(_ words: [String], _ output: Output) async throws {
        guard let first = words.first else { throw UsageError(what: "no command is given") }
        switch first {
        case "--version", "version": return try output.line("foldersync \(version)")
        case "--help", "-h", "help": return try help(words.dropFirst().first, output)
        default: break
        }
        let command = try command(first)
        let arguments = try ParsedArguments(Array(words.dropFirst()), syntax: command.syntax)
        if arguments.has(CommandSyntax.help.name) { return try output.line(command.syntax.helpText) }
        try await command.run(Invocation(syntax: command.syntax, arguments: arguments, output: output))
    }

    private static func command(_ name: String) throws -> Command {
        guard let command = Command.all.first(where: { $0.syntax.name == name }) else {
            throw UsageError(what: name.hasPrefix("-") ? "unknown option '\(name)'" : "unknown command '\(name)'")
        }
        return command
    }

    private static func help(_ name: String?, _ output: Output) throws {
        if let name, !name.hasPrefix("-") { return try output.line(command(name).syntax.helpText) }
        try output.line(
            """
            usage: foldersync COMMAND [ARGUMENT...]

            Keeps a store of values, with all its versions, in sync between devices through a plain shared folder.

            """)
        let lines = CommandSyntax.aligned(Command.all.map { (name: $0.syntax.name, help: $0.syntax.summary) })
        for line in lines.prefix(Command.storeCommands.count) { try output.line(line) }
        try output.line("\nFor any folder, without a store:\n")
        for line in lines.dropFirst(Command.storeCommands.count) { try output.line(line) }
        try output.line(
            """

            'foldersync help COMMAND' tells more. A VERSION is an id, the first characters of one, a branch, or 'head'.
            Exit codes: 0 done, 1 failed ('error: what; what to do' on standard error), 2 wrong usage.
            """)
    }

    /// Takes the place of standard streams that are closed, so that no file or watch gets their number and what is printed
    /// goes there. Opened the wrong way round, so that using them fails as before.
    private static func holdStandardDescriptors() {
        for (number, way) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is given, which is this one.
            _ = open("/dev/null", way)
        }
    }

    /// Swift repairs arguments that are not UTF-8; a repaired key or path would be another one.
    private static func refuseMangledArguments() throws(UsageError) {
        for (number, argument) in CommandLine.arguments.enumerated().dropFirst() where argument.contains("\u{FFFD}") {
            guard let bytes = CommandLine.unsafeArgv[number] else { continue }
            let utf8 = UnsafeBufferPointer(start: bytes, count: strlen(bytes)).map { UInt8(bitPattern: $0) }
            if String(validating: utf8, as: UTF8.self) == nil {
                throw UsageError(what: "argument \(number) is not UTF-8 (give bytes on standard input)")
            }
        }
    }

    /// Prints a line on standard error; there is no one to tell if that fails.
    static func say(_ line: String) {
        write(toStandardError: line + "\n")
    }

    /// Writes to standard error as far as that takes anything. Foundation's `FileHandle` would trap where it does not.
    static func write(toStandardError text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
