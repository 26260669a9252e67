import Foundation
import Testing

private let canTrace = LiveGate.isOpen && LiveGate.has("strace")

@Suite(
    "Writing: system calls", .enabled(if: canTrace, "strace is not installed, or the live tests are off"), .serialized)
struct WritingSystemCallTests {
    let folder: LiveDirectory

    init() throws { folder = try LiveDirectory() }

    /// The lines of the trace from the making of the temporary file on.
    private func trace(_ durability: String, _ inject: String...) throws -> (LiveProgram.Outcome, calls: [String]) {
        let log = folder.path("trace")
        var words = [
            "strace", "-f", "-qq", "-o", log, "-e", "trace=openat,write,fsync,close,rename,renameat,renameat2",
        ]
        for rule in inject { words += ["-e", "inject=\(rule)"] }
        words += [try LiveProgram.writer(), "write", folder.path("a"), "the new content", durability]
        let outcome = try LiveProgram(words).outcome()
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        let first = try #require(lines.firstIndex { $0.contains("~syncthing~fc-") && $0.contains("O_EXCL") })
        return (outcome, Array(lines[first...]))
    }

    private func index(of call: String, in calls: [String], after: Int = -1) throws -> Int {
        try #require(calls.indices.first { $0 > after && calls[$0].contains(call) }, "no \(call) in \(calls)")
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0 != "trace" }.sorted()
    }

    private func text() throws -> String { try String(contentsOfFile: folder.path("a"), encoding: .utf8) }

    @Test
    func theContentIsSyncedBeforeTheRenameAndTheFolderAfterIt() throws {
        let (outcome, calls) = try trace("full")
        #expect(outcome.status == 0)
        let written = try index(of: "write(", in: calls)
        let synced = try index(of: "fsync(", in: calls, after: written)
        #expect(calls[synced].hasSuffix("= 0"))
        let closed = try index(of: "close(", in: calls, after: synced)
        let renamed = try index(of: "rename", in: calls, after: closed)
        let opened = try index(of: "openat(AT_FDCWD, \"\(folder.url.path)\", ", in: calls, after: renamed)
        #expect(calls[opened].contains("O_DIRECTORY"))
        #expect(calls[try index(of: "fsync(", in: calls, after: opened)].hasSuffix("= 0"))
        #expect(try names() == ["a"])
    }

    @Test
    func aFastWriteSyncsNothing() throws {
        let (outcome, calls) = try trace("fast")
        #expect(outcome.status == 0)
        #expect(!calls.contains { $0.contains("fsync") })
    }

    @Test
    func aFailingSyncOfTheContentLeavesTheOldFile() throws {
        try "old".write(toFile: folder.path("a"), atomically: false, encoding: .utf8)
        let (outcome, calls) = try trace("full", "fsync:error=EIO:when=1")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("inputOutput"))
        #expect(!calls.contains { $0.contains("rename") })
        #expect(try text() == "old")
        #expect(try names() == ["a"])
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let call: String
        let errno: String
        let code: String
        var testDescription: String { "\(call): \(errno)" }
    }

    static let faults = [
        ("write", "ENOSPC", "noSpace"), ("write", "EDQUOT", "quotaExceeded"), ("write", "EIO", "inputOutput"),
        ("fsync", "ENOSPC", "noSpace"), ("fsync", "EDQUOT", "quotaExceeded"), ("close", "EIO", "inputOutput"),
        ("close", "ENOSPC", "noSpace"), ("rename", "EBUSY", "busy"), ("rename", "EPERM", "notPermitted"),
        ("rename", "EROFS", "readOnlyFileSystem"), ("rename", "ENOSPC", "noSpace"), ("rename", "EIO", "inputOutput"),
    ].map { Fault(call: $0.0, errno: $0.1, code: $0.2) }

    /// A failure once is a failure: a second try could find a disk that has forgotten it.
    @Test(arguments: faults, ["replacing", "new", "replacing a private one"])
    func whateverFailsTheOldFileStaysAndNothingElse(fault: Fault, kind: String) throws {
        if kind != "new" {
            try "old".write(toFile: folder.path("a"), atomically: false, encoding: .utf8)
            let mode = kind == "replacing" ? 0o644 : 0o600
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path("a"))
        }
        let call = fault.call == "rename" ? "/^rename(at2?)?$" : fault.call
        // A program closes much before it comes to the file: its start is the same each time.
        let place = fault.call == "close" ? try closesBeforeTheFile() + 1 : 1
        let (outcome, calls) = try trace("full", "\(call):error=\(fault.errno):when=\(place)")
        #expect(calls.contains { $0.contains("(INJECTED)") && $0.contains(fault.call) })
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix(fault.code), "\(outcome.errors)")
        #expect(calls.count { $0.contains("O_EXCL") } == 1)
        #expect(try names() == (kind == "new" ? [] : ["a"]))
        if kind != "new" { #expect(try text() == "old") }
    }

    /// Of a write of another file.
    private func closesBeforeTheFile() throws -> Int {
        let log = folder.path("trace")
        let other = try LiveDirectory()
        let path = folder.path("a")
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.copyItem(atPath: path, toPath: other.path("a"))
        }
        let program = [try LiveProgram.writer(), "write", other.path("a"), "the new content", "full"]
        let outcome = try LiveProgram(
            ["strace", "-f", "-qq", "-o", log, "-e", "trace=openat,close"] + program
        ).outcome()
        try #require(outcome.status == 0)
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        let first = try #require(lines.firstIndex { $0.contains("~syncthing~fc-") && $0.contains("O_EXCL") })
        // Counted by thread, as strace does.
        let thread = lines[first].prefix { $0 != " " } + " "
        return lines[..<first].count { $0.hasPrefix(thread) && $0.contains(" close(") }
    }

    @Test(arguments: [("EINVAL", 0, ""), ("EIO", 1, "durabilityUnknown")] as [(String, Int32, String)])
    func aFailingSyncOfTheFolderIsNotToldAsNotWritten(errno: String, status: Int32, code: String) throws {
        let (outcome, _) = try trace("full", "fsync:error=\(errno):when=2+")
        #expect(outcome.status == status)
        #expect(outcome.errors.hasPrefix(code))
        #expect(try text() == "the new content")
        #expect(try names() == ["a"])
    }

    @Test
    func interruptedCallsAreMadeAgain() throws {
        let (outcome, _) = try trace("full", "fsync:error=EINTR:when=1", "renameat:error=EINTR:when=1")
        #expect(outcome.status == 0)
        #expect(try text() == "the new content")
        #expect(try names() == ["a"])
    }
}
