import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Sweeping of temporary files")
struct SweepingTests {
    let folder: TemporaryFolder
    let file = CoordinatedFile()

    init() throws { folder = try TemporaryFolder() }

    private func name(boot: UInt32? = nil, process: Int32? = nil, start: UInt32? = nil) -> String {
        var writer = WriterIdentity.current
        if let boot { writer.boot = boot }
        if let process { writer.process = process }
        if let start { writer.start = start }
        return TemporaryName(writer: writer, number: 7).name
    }

    private func sweep(after hours: Double) throws -> [String] {
        try file.sweepTemporaryFiles(in: folder.path, now: Date(timeIntervalSinceNow: hours * 3600))
    }

    @Test
    func aDeadWritersFileGoesAfterAnHour() throws {
        // The same process id, but another start: that process is gone.
        let dead = name(start: 1)
        try folder.write("x", to: dead)
        #expect(try sweep(after: 0.9).isEmpty)
        #expect(try sweep(after: 1.1) == [dead])
    }

    @Test
    func aNameAsItWasWrittenBeforeIsKnown() throws {
        let (writer, name) = (WriterIdentity.current, "~syncthing~fc-1f-2a-3b-4c.tmp")
        #expect(TemporaryName(name)?.writer == WriterIdentity(boot: 0x1f, process: 0x2a, start: 0x3b))
        #expect(writer.isAlive == true)
        try folder.write("x", to: name)
        #expect(try sweep(after: 23).isEmpty)
        #expect(try sweep(after: 25) == [name])
    }

    @Test
    func aLivingWritersFileStays() throws {
        try folder.write("x", to: name())
        #expect(try sweep(after: 1000).isEmpty)
    }

    @Test
    func anotherMachinesFileGoesAfterADay() throws {
        let other = name(boot: 1)
        try folder.write("x", to: other)
        #expect(try sweep(after: 23).isEmpty)
        #expect(try sweep(after: 25) == [other])
    }

    @Test
    func strangersFilesAreNeverTouched() throws {
        let dead = name(start: 1)
        let strangers = [
            "x.tmp", "~syncthing~fc-00000000000000000000.tmp", "~syncthing~fc-0000000000000000000000.tmp",
            "~syncthing~fc-00000000000000000000w.tmp", "~syncthing~fc-+00000000000000000000.tmp",
            "~syncthing~fc-1-2-3.tmp", "~syncthing~fc-0a-1-1-1.tmp", "~syncthing~fc-1-1-1-1.tmp.bak",
            "~syncthing~note.tmp", ".syncthing.note.tmp", dead.uppercased(), "~syncthing~fc-+1-1-1-1.tmp",
        ]
        for stranger in strangers { try folder.write("x", to: stranger) }
        // A folder or link of such a name is nobody's temporary file.
        try folder.makeFolder(name(process: 1, start: 2))
        try FileSystemLink.make(at: folder(name(start: 3)), to: "x.tmp")
        let before = try folder.names()
        #expect(try sweep(after: 100_000).isEmpty)
        #expect(try folder.names() == before)
    }

    @Test
    func aWriteSweepsItsFolder() throws {
        var lists: [Int] = []
        for round in 0..<20 where lists.last != 1 {
            let (place, files) = (try folder.makeFolder("\(round)"), FaultyFileSystem())
            for byte: UInt8 in 1...2 { try CoordinatedFile(files: files).write([byte], to: "\(place)/a") }
            lists.append(files.calls.count { $0.name == "list" })
        }
        // Once: the second write is within the hour. It is known of a bounded number of folders, and so forgotten where other
        // tests write in very many just then.
        #expect(lists.last == 1 && lists.allSatisfy { (1...2).contains($0) }, "\(lists)")
    }

    @Test(arguments: ["/", "/a", "/a/"])
    func aPathOfANewOneReadsBack(folder: String) throws {
        let paths = (0..<100).map { _ in TemporaryName.freshPath(in: folder) }
        #expect(Set(paths).count == 100)
        for path in paths {
            let place = try #require(FilePlace(path))
            #expect(TemporaryName(place.name)?.writer == .current)
            #expect(path == FilePlace.join(folder, place.name))
        }
    }

    @Test
    func aNameIsShortAndReadsBack() throws {
        let fresh = TemporaryName.fresh()
        #expect(TemporaryName(fresh.name) == fresh)
        // What Linux keeps in the directory entry itself.
        #expect(fresh.name.utf8.count == 39)
        let lent = TemporaryName.withFreshName { String(cString: $0) }
        #expect(TemporaryName(lent)?.writer == .current)
        #expect(TemporaryName.fresh() != fresh)
        #expect(fresh.writer.isAlive == true)
    }
}
