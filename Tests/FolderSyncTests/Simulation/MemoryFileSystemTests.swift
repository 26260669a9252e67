import FileCoordination
import TestSupport
import Testing

/// The disk in memory does what a real one does.
@Suite struct MemoryFileSystemTests {
    private let names = ["a", "b", "d", "d/a", "d/b", "e", "e/a"]

    /// What a call says: its result or its error.
    private func say(_ body: () throws(Errno) -> String) -> String {
        do throws(Errno) { return try body() } catch { return "\(error.rawValue)" }
    }

    /// One random call, made on one of the disks.
    private func call(_ number: Int, _ first: String, _ second: String, on disk: any FileSystem) -> String {
        switch number {
        case 0:
            return say { () throws(Errno) in
                try disk.makeDirectory(first, permissions: .directory)
                return "made"
            }
        case 1:
            return say { () throws(Errno) in
                try disk.removeFile(first)
                return "removed"
            }
        case 2:
            return say { () throws(Errno) in
                try disk.removeDirectory(first)
                return "removed"
            }
        case 3, 4:
            return say { () throws(Errno) in
                try disk.rename(first, to: second)
                return "renamed"
            }
        case 5:
            return say { () throws(Errno) in
                let found = try disk.attributes(at: first, followLinks: false)
                return "\(found.kind) \(found.kind == .file ? found.size : 0)"
            }
        case 6: return say { () throws(Errno) in "\(try disk.list(first).compactMap(\.name).sorted())" }
        case 7, 8:
            let options: OpenOptions = number == 7 ? [.write, .create, .truncate] : [.write, .create, .append]
            return say { () throws(Errno) in
                let file = try disk.open(first, options)
                return try disk.closing(file) { () throws(Errno) in
                    let bytes = Array(second.utf8)
                    var failure: Errno?
                    let count = bytes.withUnsafeBytes { buffer in
                        do throws(Errno) { return try disk.write(buffer, to: file) } catch {
                            failure = error
                            return 0
                        }
                    }
                    if let failure { throw failure }
                    return "wrote \(count)"
                }
            }
        default:
            do { return String(decoding: try disk.readFile(at: first), as: UTF8.self) } catch {
                return "\(error.errno?.rawValue ?? 0)"
            }
        }
    }

    @Test func itAnswersAsARealDiskDoes() async throws {
        for seed in UInt64(1)...6 {
            try await SimulatedFolderTree.withDirectory { directory in
                let memory = MemoryFileSystem()
                let root = "/root"
                try memory.makeDirectory(root, permissions: .directory)
                var random = SeededRandom(seed: seed)
                for step in 0..<300 {
                    let number = Int.random(in: 0..<11, using: &random)
                    let pair = names.shuffled(using: &random)
                    let real = call(number, "\(directory)/\(pair[0])", "\(directory)/\(pair[1])", on: .local)
                    let double = call(number, "\(root)/\(pair[0])", "\(root)/\(pair[1])", on: memory)
                    let plain = [real, double].map {
                        $0.replacing(directory, with: "").replacing(root, with: "")
                    }
                    // Only numbers of written bytes follow from how long the directory's name is.
                    if plain[0].hasPrefix("wrote"), plain[1].hasPrefix("wrote") { continue }
                    if number == 5, plain[0].hasPrefix("file"), plain[1].hasPrefix("file") { continue }
                    try #require(plain[0] == plain[1], "seed \(seed), step \(step): call \(number) of \(pair)")
                }
            }
        }
    }

    @Test func namesThatDifferInCaseAreOneWhereItFolds() throws {
        let disk = MemoryFileSystem(.foldsCase)
        try disk.setBytes([1], at: "/Name")
        try disk.setBytes([2], at: "/nAME")
        #expect(disk.bytes(at: "/NAME") == [2])
        #expect(try disk.list("/").compactMap(\.name) == ["Name"])
        let plain = MemoryFileSystem()
        try plain.setBytes([1], at: "/Name")
        #expect(plain.bytes(at: "/name") == nil)
    }

    @Test func aReplacedFileIsReadToItsEndByWhoHasItOpen() throws {
        let disk = MemoryFileSystem()
        try disk.setBytes(Array("old".utf8), at: "/file")
        try disk.setBytes(Array("new".utf8), at: "/other")
        let file = try disk.open("/file", .read)
        try disk.rename("/other", to: "/file")
        var buffer = [UInt8](repeating: 0, count: 10)
        let count = try buffer.withUnsafeMutableBytes { try disk.read(file, into: $0) }
        #expect(buffer.prefix(count) == Array("old".utf8)[...])
        #expect(disk.bytes(at: "/file") == Array("new".utf8))
        try disk.close(file)
    }
}
