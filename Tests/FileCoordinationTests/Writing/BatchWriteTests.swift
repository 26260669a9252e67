import TestSupport
import Testing

@testable import FileCoordination

@Suite("CoordinatedFile: many files")
struct BatchWriteTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("d")
    }

    private let names = ["b", "d/x", "a", "d/y", "c"]

    private var contents: [FileContent] {
        names.map { FileContent(path: folder($0), bytes: Array("new \($0)".utf8)) }
    }

    private func writeOld() throws {
        for name in names { try folder.write("old \(name)", to: name) }
    }

    private func temporaries() throws -> [String] {
        try (folder.names() + folder.names(in: "d")).filter { TemporaryName($0) != nil }
    }

    @Test
    func allAreWrittenAndEachFolderIsSyncedOnceAtTheEnd() throws {
        let files = FaultyFileSystem()
        try CoordinatedFile(files: files).writeAll(contents)
        for name in names { #expect(try folder.text(of: name) == "new \(name)") }
        let order = files.calls.filter { ["sync", "rename", "syncDirectory"].contains($0.name) }
        let (syncs, renames) = (order.prefix(names.count), order.dropFirst(names.count).prefix(names.count))
        #expect(syncs.allSatisfy { $0.name == "sync" })
        #expect(renames.map(\.path) == names.map { folder($0) })
        #expect(order.dropFirst(2 * names.count).map(\.path) == [folder.path, folder("d")])
        #expect(files.openFiles == 0)
    }

    @Test
    func aFullDiskIsMetBeforeAnythingIsReplaced() throws {
        try writeOld()
        // The fourth file's content.
        let files = FaultyFileSystem(fault: .named("write", errno: .noSpace))
        let failing = contents + [FileContent(path: folder("none/a"), bytes: [])]
        #expect { try CoordinatedFile(files: files).writeAll(failing) } throws: {
            let error = $0 as? BatchWriteError
            return error?.written == [] && error?.cause.code == .noSpace
        }
        #expect { try CoordinatedFile().writeAll(failing) } throws: {
            let error = $0 as? BatchWriteError
            return error?.written == [] && error?.cause.code == .noParent && error?.cause.path == folder("none/a")
        }
        for name in names { #expect(try folder.text(of: name) == "old \(name)") }
        #expect(try temporaries().isEmpty)
    }

    @Test
    func aFailingRenameLeavesThoseBeforeItNewAndTheOthersOld() throws {
        try writeOld()
        let files = FaultyFileSystem(fault: .named("rename", pathSuffix: "/a", errno: .busy))
        #expect { try CoordinatedFile(files: files).writeAll(contents) } throws: {
            let error = $0 as? BatchWriteError
            return error?.written == [folder("b"), folder("d/x")] && error?.cause.code == .busy
                && error?.cause.path == folder("a")
        }
        for (index, name) in names.enumerated() {
            #expect(try folder.text(of: name) == "\(index < 2 ? "new" : "old") \(name)")
        }
        // What was written lasts all the same.
        #expect(files.calls.filter { $0.name == "syncDirectory" }.map(\.path) == [folder.path, folder("d")])
        #expect(try temporaries().isEmpty)
    }

    @Test
    func aFolderThatCannotBeSyncedIsToldWhenAllIsWritten() throws {
        let files = FaultyFileSystem(fault: .named("syncDirectory", pathSuffix: "/d", errno: .inputOutput))
        #expect { try CoordinatedFile(files: files).writeAll(contents) } throws: {
            let error = $0 as? BatchWriteError
            return error?.written == contents.map(\.path) && error?.cause.code == .durabilityUnknown
        }
        for name in names { #expect(try folder.text(of: name) == "new \(name)") }
    }

    @Test
    func foldersThatDifferInNormalizationOnlyAreBothSynced() throws {
        let paths = ["caf\u{E9}", "cafe\u{301}"]
        for name in paths { try folder.makeFolder(name) }
        let files = FaultyFileSystem()
        try CoordinatedFile(files: files).writeAll(paths.map { FileContent(path: folder("\($0)/a"), bytes: [1]) })
        let synced = files.calls.filter { $0.name == "syncDirectory" }.map { Array($0.path.utf8) }
        #expect(synced == paths.map { Array(folder($0).utf8) })
    }

    @Test
    func oneThatExistsStopsABatchThatOnlyMakes() throws {
        try folder.write("old", to: "a")
        #expect { try CoordinatedFile().writeAll(contents, ifExists: .fail) } throws: {
            ($0 as? BatchWriteError)?.cause.code == .fileExists
        }
        #expect(try folder.names() == ["a", "d"])
    }

    @Test
    func ofAPathThatComesTwiceTheLaterStays() throws {
        try CoordinatedFile(durability: .fast).writeAll([
            FileContent(path: folder("a"), bytes: [1]), FileContent(path: folder("./a"), bytes: [2]),
        ])
        #expect(try CoordinatedFile().read(at: folder("a")) == [2])
        try CoordinatedFile().writeAll([])
        #expect(try folder.names() == ["a", "d"])
    }
}
