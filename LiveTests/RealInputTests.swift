import Foundation
import Testing

@Suite("Real input", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct RealInputTests {
    private static let source = "/usr/share/doc"

    /// Every regular file below a directory with its bytes; links are left out.
    private static func files(_ directory: String) throws -> [String: Data] {
        let root = URL(fileURLWithPath: directory, isDirectory: true)
        let keys: [URLResourceKey] = [.isRegularFileKey]
        let walk = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: keys))
        var found: [String: Data] = [:]
        for case let url as URL in walk where try url.resourceValues(forKeys: Set(keys)).isRegularFile == true {
            found[String(url.path.dropFirst(directory.count + 1))] = try Data(contentsOf: url)
        }
        return found
    }

    @Test func aValueOf200MegabytesTravelsInLittleMemory() throws {
        let directory = try LiveDirectory()
        let (a, b, shared, input) = (
            directory.path("a"), directory.path("b"), directory.path("shared"), directory.path("in")
        )
        try FileManager.default.createDirectory(atPath: input, withIntermediateDirectories: true)
        var pattern = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
        try Data().write(to: URL(fileURLWithPath: input + "/large"))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: input + "/large"))
        for number in 0..<200 {
            pattern[0] = UInt8(number)
            try file.write(contentsOf: pattern)
        }
        try file.close()
        try FoldersyncProcess.succeed("init", a)
        try FoldersyncProcess.succeed("attach", a, shared, "--create")
        try FoldersyncProcess.succeed("init", b)
        try FoldersyncProcess.succeed("attach", b, shared)
        for arguments in [
            ["import", a, input], ["sync", a], ["sync", b], ["verify", b], ["export", b, input + "-b"],
        ] {
            let running = try FoldersyncProcess.start(arguments)
            let peak = running.peakMemory()
            let result = running.wait()
            #expect(result.status == 0, "\(arguments): \(result.errors)")
            #expect(peak < 150 << 10, "\(arguments) took \(peak) KiB")
            print("\(arguments[0]) of 200 MB: peak \(peak >> 10) MiB")
        }
        #expect(FileManager.default.contentsEqual(atPath: input + "/large", andPath: input + "-b/large"))
    }

    @Test func aWholeDirectoryTreeTravelsByteForByteInLittleMemory() throws {
        let directory = try LiveDirectory()
        let (a, b, shared, out) = (
            directory.path("a"), directory.path("b"), directory.path("shared"), directory.path("out")
        )
        try FoldersyncProcess.succeed("init", a)
        try FoldersyncProcess.succeed("attach", a, shared, "--create")
        let limit = 300 << 10
        func measured(_ arguments: [String]) throws -> FoldersyncProcess.Result {
            let running = try FoldersyncProcess.start(arguments)
            let peak = running.peakMemory()
            let result = running.wait()
            #expect(result.status == 0, "\(arguments): \(result.errors)")
            #expect(peak < limit, "\(arguments) took \(peak) KiB")
            print("\(arguments[0]): peak \(peak >> 10) MiB")
            return result
        }
        _ = try measured(["import", a, Self.source])
        _ = try measured(["sync", a, "--json"])
        let versions = try FoldersyncProcess.succeed("status", a, "--json").number("versions")
        _ = try measured(["import", a, Self.source])
        #expect(try FoldersyncProcess.succeed("status", a, "--json").number("versions") == versions)

        try FoldersyncProcess.succeed("init", b)
        try FoldersyncProcess.succeed("attach", b, shared)
        _ = try measured(["sync", b, "--json"])
        _ = try measured(["export", b, out])
        let before = try Self.files(Self.source)
        let after = try Self.files(out)
        #expect(before.count > 100)
        #expect(Set(before.keys) == Set(after.keys))
        for (path, bytes) in before { #expect(after[path] == bytes, "\(path)") }
        let digests = try [a, b].map { try FoldersyncProcess.succeed("status", $0, "--json").string("digest") }
        #expect(digests[0] == digests[1])
        try FoldersyncProcess.succeed("verify", a)
        try FoldersyncProcess.succeed("verify", b)
        try FoldersyncProcess.succeed("verify", shared)
    }
}
