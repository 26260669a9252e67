/// What a command is called with, as data: it is parsed by this, and its help is made from it.
struct CommandSyntax: Sendable {
    /// A word by position.
    struct Argument: Sendable {
        enum Count: Sendable {
            case one
            case optional
            case oneOrMore
        }

        let name: String
        var count = Count.one
        let help: String
    }

    /// A word that starts with `--`.
    struct Option: Sendable {
        let name: String
        /// What its value is called; nil for a flag.
        var value: String?
        /// Whether it may be given several times; all its values count.
        var repeats = false
        /// Whether the command does nothing without it.
        var isRequired = false
        let help: String
    }

    static let json = Option(name: "--json", help: "print one JSON object a line, for programs")
    static let help = Option(name: "--help", help: "print this help")

    let name: String
    /// One line, in the list of commands.
    let summary: String
    var arguments: [Argument] = []
    /// Its own options; every command has `--json` and `--help` too.
    var options: [Option] = []
    /// Paragraphs of its help: what it promises, and what it does not keep.
    var details: [String] = []

    var allOptions: [Option] { options + [Self.json, Self.help] }
}

/// Words that do not fit a command. Exit code 2.
struct UsageError: Error {
    let what: String
    /// The command, if the words got as far as naming one.
    var syntax: CommandSyntax?
}

/// The words of one call, by the names in the command's syntax.
struct ParsedArguments: Sendable {
    private var values: [String: [String]] = [:]

    /// Takes the words after the command's name. Options stand anywhere; `--` ends them; `--name=value` is `--name value`.
    init(_ words: [String], syntax: CommandSyntax) throws(UsageError) {
        var plain: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                plain += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                plain.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = syntax.allOptions.first(where: { $0.name == parts[0] }) else {
                throw UsageError(
                    what: "unknown option '\(parts[0])' (an argument that starts with '-' goes after '--')",
                    syntax: syntax)
            }
            let value = try Self.value(of: option, inline: parts.dropFirst().first, rest: &rest, syntax)
            let earlier = values[option.name] ?? []
            if !earlier.isEmpty, !option.repeats, option.name != CommandSyntax.help.name {
                throw UsageError(what: "\(option.name) is given twice", syntax: syntax)
            }
            values[option.name] = earlier + [value]
        }
        // Whoever asks for help need not know the arguments yet.
        if !has(CommandSyntax.help.name) { try take(plain, syntax) }
    }

    private static func value(
        of option: CommandSyntax.Option, inline: String?, rest: inout ArraySlice<String>, _ syntax: CommandSyntax
    ) throws(UsageError) -> String {
        guard let name = option.value else {
            if inline != nil { throw UsageError(what: "\(option.name) takes no value", syntax: syntax) }
            return ""
        }
        guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError(what: "\(option.name) needs a \(name)", syntax: syntax)
        }
        return value
    }

    private mutating func take(_ words: [String], _ syntax: CommandSyntax) throws(UsageError) {
        var rest = words[...]
        for argument in syntax.arguments {
            let taken = argument.count == .oneOrMore ? Array(rest) : Array(rest.prefix(1))
            rest = rest.dropFirst(taken.count)
            guard !taken.isEmpty || argument.count == .optional else {
                throw UsageError(what: "\(argument.name) is missing", syntax: syntax)
            }
            if !taken.isEmpty { values[argument.name] = taken }
        }
        if let extra = rest.first { throw UsageError(what: "unexpected argument '\(extra)'", syntax: syntax) }
        for option in syntax.options where option.isRequired && !has(option.name) {
            throw UsageError(what: "\(option.written) is missing", syntax: syntax)
        }
    }

    /// Whether an option or an optional argument was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option or an optional argument, if it was given.
    func value(_ name: String) -> String? { values[name]?.first }

    /// Everything given for an argument or an option.
    func list(_ name: String) -> [String] { values[name] ?? [] }
}

extension CommandSyntax {
    /// "usage: foldersync get STORE KEY [--at VERSION] [--json]"; a second line begins where it gets too long.
    var usage: String {
        var words = arguments.map { argument in
            switch argument.count {
            case .one: argument.name
            case .optional: "[\(argument.name)]"
            case .oneOrMore: "\(argument.name)..."
            }
        }
        words += (options + [Self.json]).map { option in
            (option.isRequired ? option.written : "[\(option.written)]") + (option.repeats ? "..." : "")
        }
        var lines = ["usage: foldersync \(name)"]
        for word in words {
            if lines[lines.count - 1].count + 1 + word.count > 120 { lines.append("      ") }
            lines[lines.count - 1] += " " + word
        }
        return lines.joined(separator: "\n")
    }

    /// The whole help of the command.
    var helpText: String {
        var sections = [usage, summary] + details
        let arguments = arguments.map { (name: $0.name, help: $0.help) }
        let options = allOptions.map { (name: $0.written, help: $0.help) }
        for lines in [arguments, options] where !lines.isEmpty {
            sections.append(Self.aligned(lines).joined(separator: "\n"))
        }
        return sections.joined(separator: "\n\n")
    }

    /// Two columns.
    static func aligned(_ lines: [(name: String, help: String)]) -> [String] {
        let width = lines.map(\.name.count).max() ?? 0
        return lines.map { line in
            "  \(line.name)" + String(repeating: " ", count: width - line.name.count + 3) + line.help
        }
    }
}

extension CommandSyntax.Option {
    /// "--at VERSION".
    fileprivate var written: String { [name, value].compactMap(\.self).joined(separator: " ") }
}
