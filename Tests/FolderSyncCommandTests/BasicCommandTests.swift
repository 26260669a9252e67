import Foundation
import Testing

/// The built executable, as a black box: values, versions, exit codes and messages.
@Suite("Basic commands")
struct BasicCommandTests {
    private let foldersync: CommandRunner

    init() throws {
        foldersync = try CommandRunner()
    }

    @Test("A value comes back byte for byte, nothing added")
    func bytesComeBack() async throws {
        try await foldersync("init", "S")
        let bytes = (0...255).map { UInt8($0) }
        #expect(try await foldersync("set", "S", "k", "-", input: bytes).code == 0)
        let got = try await foldersync("get", "S", "k")
        #expect(got.code == 0)
        #expect(got.bytes == bytes)
        #expect(try await foldersync("get", "S", "k", "--json").object()["base64"] as? String != nil)
    }

    @Test("Input larger than memory should hold goes through a file and comes back")
    func largeInput() async throws {
        try await foldersync("init", "S")
        let bytes = [UInt8](repeating: 7, count: 3_000_001)
        #expect(try await foldersync("set", "S", "big", "-", input: bytes).code == 0)
        #expect(try await foldersync("get", "S", "big").bytes == bytes)
    }

    @Test("Each command is one version; the same value again is none")
    func oneVersionEach() async throws {
        try await foldersync("init", "S")
        try await foldersync("set", "S", "a", "1")
        try await foldersync("set", "S", "b", "ü")
        #expect(try await foldersync("set", "S", "b", "ü").output == "nothing changed\n")
        try await foldersync("rm", "S", "a", "b", "a")
        let status = try await foldersync("status", "--json", "S").object()
        #expect(status["versions"] as? Int == 3)
        #expect(status["values"] as? Int == 0)
        let log = try await foldersync("log", "S", "--json").objects()
        #expect(log.map { $0["removed"] as? Int } == [2, 0, 0])
        #expect(try await foldersync("log", "S", "--limit", "1").lines.count == 1)
        #expect(try await foldersync("log", "S", "--graph").lines.allSatisfy { $0.hasPrefix("*  ") })
    }

    @Test("A version is named by head, an id or its beginning")
    func versionsAreNamed() async throws {
        try await foldersync("init", "S")
        let saved = try await foldersync("set", "S", "k", "old", "--json").object()
        let id = try #require(saved["version"] as? String)
        try await foldersync("set", "S", "k", "new")
        for name in [id, String(id.prefix(12)), String(id.prefix(4))] {
            #expect(try await foldersync("get", "S", "k", "--at", name).output == "old")
        }
        #expect(try await foldersync("get", "S", "k", "--at=head").output == "new")
        foldersync.expectError(try await foldersync("get", "S", "k", "--at", id.prefix(3).description), "too short")
        foldersync.expectError(try await foldersync("ls", "S", "--at", "0000"), "no version '0000'", "foldersync log")
    }

    @Test("Names are listed by their bytes, with a prefix, and odd ones are escaped")
    func namesAreListed() async throws {
        try await foldersync("init", "S")
        for name in ["b/2", "b/1", "a", "odd\n\"\u{1b}"] { try await foldersync("set", "S", "--", name, "x") }
        #expect(try await foldersync("ls", "S").lines == ["a", "b/1", "b/2", "odd\\n\"\\u{1b}"])
        #expect(try await foldersync("ls", "S", "b/").lines == ["b/1", "b/2"])
        let objects = try await foldersync("ls", "S", "odd", "--json").objects()
        #expect(objects.map { $0["id"] as? String } == ["odd\n\"\u{1b}"])
    }

    @Test("Errors say what and what to do, with exit code 1")
    func errorsSayWhatToDo() async throws {
        foldersync.expectError(try await foldersync("ls", "nowhere"), "no store at 'nowhere'", "foldersync init")
        try await foldersync("init", "S")
        foldersync.expectError(try await foldersync("init", "S"), "'S' exists already")
        foldersync.expectError(try await foldersync("get", "S", "k", "--json"), "no value 'k'", "foldersync ls")
        foldersync.expectError(try await foldersync("set", "S", "", "x"), "0 bytes")
        foldersync.expectError(try await foldersync("sync", "S"), "not attached", "foldersync attach S")
        try await foldersync("set", "S", "k", "x")
        foldersync.expectError(try await foldersync("rm", "S", "k", "gone"), "no value 'gone'")
        #expect(try await foldersync("get", "S", "k").output == "x")
    }

    @Test(
        "Wrong usage is exit code 2, with a usage line",
        arguments: [
            [], ["nope"], ["--nope"], ["get", "S"], ["ls", "S", "--at"], ["log", "S", "--limit", "-1"],
            ["set", "S", "-k", "v"],
        ])
    func wrongUsage(words: [String]) async throws {
        try await foldersync("init", "S")
        let outcome = try await foldersync.shell("\"$F\" " + words.joined(separator: " "))
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("error: "))
        #expect(lines[1].hasPrefix("usage: foldersync "))
    }

    @Test("Arguments that are not UTF-8 are refused, not repaired")
    func mangledArguments() async throws {
        try await foldersync("init", "S")
        let outcome = try await foldersync.shell("\"$F\" set S k \"$(printf '\\377')\"")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("argument 4 is not UTF-8"))
    }

    @Test("Help and version are asked for, and go to standard output")
    func helpAndVersion() async throws {
        #expect(try await foldersync("--version").output.hasPrefix("foldersync "))
        let help = try await foldersync("help")
        #expect(help.code == 0)
        let names = [
            "demo", "init", "set", "get", "rm", "ls", "import", "export", "import-llvs", "log", "diff", "revert",
            "branch",
            "merge", "forks", "graph", "attach", "detach", "sync", "follow", "status", "stats", "verify", "repair",
            "snapshot", "restore",
            "compact", "watch", "conflicts", "resolve", "folders",
        ]
        for name in names {
            #expect(help.output.contains("\n  \(name) "))
            let own = try await foldersync(name, "--help")
            #expect(own.code == 0)
            #expect(own.output.hasPrefix("usage: foldersync \(name)"))
            #expect(own.output.contains("--json"))
            #expect(try await foldersync("help", name).output == own.output)
        }
    }

    @Test("A reader that goes away ends it quietly")
    func closedPipe() async throws {
        try await foldersync("init", "S")
        try await foldersync("set", "S", "big", "-", input: [UInt8](repeating: 97, count: 2_000_000))
        let outcome = try await foldersync.shell("{ \"$F\" get S big; echo \"code $?\" >&2; } | head -c 1 >/dev/null")
        #expect(outcome.errors == "code 0\n")
    }

    @Test("Output that cannot be written is an error")
    func fullOutput() async throws {
        try await foldersync("init", "S")
        try await foldersync("set", "S", "k", "v")
        let outcome = try await foldersync.shell("\"$F\" get S k >/dev/full")
        foldersync.expectError(outcome, "cannot write to standard output")
    }

    @Test("A sound store verifies")
    func verifies() async throws {
        try await foldersync("init", "S")
        try await foldersync("set", "S", "k", "v")
        let result = try await foldersync("verify", "S", "--json").object()
        #expect(result["clean"] as? Bool == true)
        #expect(result["kind"] as? String == "store")
    }

    @Test("Programs find the keys that they rely on")
    func jsonKeys() async throws {
        try await foldersync("init", "S")
        let status = try await foldersync("status", "S", "--json").object()
        for key in ["head", "heads", "digest", "versions", "values", "waiting", "attachments"] {
            #expect(status[key] != nil, "\(key)")
        }
        #expect(status["head"] is String)
        #expect(status["heads"] is [String])
        #expect(status["waiting"] is [Any])
    }
}
