import Testing

@testable import FolderSyncCommand

@Suite("Command-line arguments")
struct CommandLineArgumentsTests {
    private static let syntax = CommandSyntax(
        name: "try", summary: "Tries.",
        arguments: [.init(name: "ONE", help: "a"), .init(name: "TWO", count: .optional, help: "b")],
        options: [
            .init(name: "--at", value: "VERSION", help: "c"), .init(name: "--all", help: "d"),
            .init(name: "--not", value: "NAME", repeats: true, help: "e"),
        ])
    private static let many = CommandSyntax(
        name: "many", summary: "Many.",
        arguments: [.init(name: "ONE", help: "a"), .init(name: "REST", count: .oneOrMore, help: "b")])

    private func failure(_ words: [String], _ syntax: CommandSyntax = syntax) -> String? {
        do throws(UsageError) {
            _ = try ParsedArguments(words, syntax: syntax)
            return nil
        } catch {
            return error.what
        }
    }

    @Test(
        "Options stand before, between and after arguments",
        arguments: [
            ["--at", "v", "--all", "a", "b"], ["a", "--at", "v", "b", "--all"], ["a", "b", "--all", "--at=v"],
        ])
    func optionsStandAnywhere(words: [String]) throws {
        let parsed = try ParsedArguments(words, syntax: Self.syntax)
        #expect(parsed.value("ONE") == "a")
        #expect(parsed.value("TWO") == "b")
        #expect(parsed.value("--at") == "v")
        #expect(parsed.has("--all"))
        #expect(!parsed.has("--json"))
    }

    @Test("Two dashes end the options, and a single one is an argument")
    func dashesEndOptions() throws {
        #expect(try ParsedArguments(["--", "--all", "--"], syntax: Self.syntax).value("ONE") == "--all")
        #expect(try ParsedArguments(["--", "a", "--"], syntax: Self.syntax).value("TWO") == "--")
        #expect(try ParsedArguments(["a", "-"], syntax: Self.syntax).value("TWO") == "-")
    }

    @Test("A value may contain '=' and look like an option")
    func valuesAreTakenAsTheyAre() throws {
        #expect(try ParsedArguments(["a", "--at=x=y"], syntax: Self.syntax).value("--at") == "x=y")
        #expect(try ParsedArguments(["a", "--at", "--all"], syntax: Self.syntax).value("--at") == "--all")
    }

    @Test("Empty arguments are arguments")
    func emptyArgumentsCount() throws {
        #expect(try ParsedArguments(["", ""], syntax: Self.syntax).value("TWO") == "")
    }

    @Test("The last argument takes one or more")
    func lastTakesMore() throws {
        let parsed = try ParsedArguments(["a", "b", "c", "b"], syntax: Self.many)
        #expect(parsed.list("REST") == ["b", "c", "b"])
        #expect(failure(["a"], Self.many) == "REST is missing")
    }

    @Test("What does not fit is said")
    func misfitsAreSaid() {
        #expect(failure([]) == "ONE is missing")
        #expect(failure(["a", "b", "c"]) == "unexpected argument 'c'")
        #expect(failure(["a", "--at"]) == "--at needs a VERSION")
        #expect(failure(["a", "--at="]) == "--at needs a VERSION")
        #expect(failure(["a", "--all=yes"]) == "--all takes no value")
        #expect(failure(["a", "--all", "--all"]) == "--all is given twice")
        #expect(failure(["a", "--nope"])?.hasPrefix("unknown option '--nope'") == true)
        #expect(failure(["-x"])?.hasPrefix("unknown option '-x'") == true)
    }

    @Test("An option that repeats has all its values")
    func optionsRepeat() throws {
        let parsed = try ParsedArguments(["--not", "a", "x", "--not=b", "--not", "a"], syntax: Self.syntax)
        #expect(parsed.list("--not") == ["a", "b", "a"])
        #expect(try ParsedArguments(["x"], syntax: Self.syntax).list("--not").isEmpty)
    }

    @Test("An option that is needed is shown without brackets, and missed")
    func neededOption() {
        let syntax = CommandSyntax(
            name: "try", summary: "Tries.",
            options: [.init(name: "--to", value: "FILE", isRequired: true, help: "where")])
        #expect(syntax.usage == "usage: foldersync try --to FILE [--json]")
        #expect(failure([], syntax) == "--to FILE is missing")
        #expect(failure(["--to", "x"], syntax) == nil)
        #expect(failure(["--help"], syntax) == nil)
    }

    @Test("Help needs no arguments")
    func helpNeedsNothing() throws {
        #expect(try ParsedArguments(["--help"], syntax: Self.syntax).has("--help"))
    }

    @Test("Help is made from what is parsed", arguments: Command.all.map(\.syntax.name))
    func helpNamesEverything(name: String) throws {
        let syntax = try #require(Command.all.first { $0.syntax.name == name }).syntax
        let help = syntax.helpText
        #expect(help.hasPrefix("usage: foldersync \(name)"))
        for argument in syntax.arguments { #expect(help.contains("\n  \(argument.name) ")) }
        for option in syntax.allOptions { #expect(help.contains("\n  \(option.name)")) }
        for line in help.split(separator: "\n") { #expect(line.count <= 120) }
    }

    @Test("The usage line shows what may be left out and repeated")
    func usageShowsCounts() {
        #expect(Self.syntax.usage == "usage: foldersync try ONE [TWO] [--at VERSION] [--all] [--not NAME]... [--json]")
        #expect(Self.many.usage == "usage: foldersync many ONE REST... [--json]")
    }
}
