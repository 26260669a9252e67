import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("CoordinatedFile: any call may fail")
struct CoordinatedFileFaultTests {
    static let old = Array("the old content".utf8)
    static let new = Array("the new content, which is longer".utf8)

    /// How a write is set up; each has its own sequence of calls.
    enum Setup: String, CaseIterable, Sendable {
        case newFile, replaced, throughLink, otherFolder, copied
    }

    /// A folder ready for the write, and the write.
    private func prepare(
        _ setup: Setup
    ) throws -> (TemporaryFolder, base: any FileSystem, write: (any FileSystem) throws -> Void) {
        let folder = try TemporaryFolder()
        let other = try folder.makeFolder("other")
        if setup != .newFile { try CoordinatedFile().write(Self.old, to: folder("a")) }
        if setup == .throughLink {
            try FileSystemLink.make(at: folder("l"), to: "a")
        }
        let path = folder(setup == .throughLink ? "l" : "a")
        let temporary = setup == .otherFolder || setup == .copied ? other : nil
        let base: any FileSystem = setup == .copied ? CrossDeviceFileSystem(from: other) : LocalFileSystem()
        return (
            folder, base,
            { files in try CoordinatedFile(files: files, temporaryFolder: temporary).write(Self.new, to: path) }
        )
    }

    private func content(_ folder: TemporaryFolder) throws -> [UInt8]? {
        do { return try CoordinatedFile().read(at: folder("a")) } catch {
            guard error.code == .noSuchFile else { throw error }
            return nil
        }
    }

    private func temporaries(_ folder: TemporaryFolder) throws -> [String] {
        try (folder.names() + folder.names(in: "other")).filter { TemporaryName($0) != nil }
    }

    @Test(arguments: Setup.allCases, [Errno.noSpace, .inputOutput])
    func theTargetIsOldOrNewAndNoTemporaryIsLeft(setup: Setup, errno: Errno) throws {
        var number = 1
        while true {
            let (folder, base, write) = try prepare(setup)
            let files = FaultyFileSystem(base, fault: .once(call: number, errno: errno))
            var failure: FileCoordinationError?
            do { try write(files) } catch let error as FileCoordinationError { failure = error }
            let found = try content(folder)
            let failed = files.calls.indices.contains(number - 1) ? files.calls[number - 1].name : "none"
            if let failure, failure.code != .durabilityUnknown {
                #expect(found == (setup == .newFile ? nil : Self.old), "call \(number), \(failed)")
            } else {
                #expect(found == Self.new, "call \(number), \(failed)")
            }
            // One failing removal after success, of a copy that is published already, is left to the sweep.
            if failed != "removeFile" { #expect(try temporaries(folder).isEmpty, "call \(number), \(failed)") }
            #expect(files.openFiles == 0, "call \(number), \(failed)")
            if !files.tripped { return }
            number += 1
        }
    }

    @Test(arguments: Setup.allCases)
    func afterDeathTheTargetIsOldOrNewAndTheSweepTakesTheRest(setup: Setup) throws {
        var number = 1
        while true {
            let (folder, base, write) = try prepare(setup)
            let files = FaultyFileSystem(base, fault: .death(call: number))
            do { try write(files) } catch {}
            let found = try content(folder)
            #expect(found == Self.new || found == (setup == .newFile ? nil : Self.old), "call \(number)")
            // What this process left is never taken from it, however old.
            for place in [folder.path, folder("other")] {
                #expect(try CoordinatedFile().sweepTemporaryFiles(in: place, now: .distantFuture).isEmpty)
            }
            #expect(try temporaries(folder).count <= 2)
            if !files.tripped { return }
            number += 1
        }
    }

    @Test(arguments: [Errno.invalidArgument, .notSupported, .badDescriptor, .notPermitted, .accessDenied])
    func aFolderThatCannotBeSyncedIsNoFailure(errno: Errno) throws {
        let (folder, base, write) = try prepare(.replaced)
        let files = FaultyFileSystem(base, fault: .named("syncDirectory", errno: errno))
        try write(files)
        #expect(files.tripped)
        #expect(try content(folder) == Self.new)
    }

    @Test
    func aFailingSyncOfTheFolderIsNotToldAsNotWritten() throws {
        let (folder, base, write) = try prepare(.replaced)
        let files = FaultyFileSystem(base, fault: .named("syncDirectory", errno: .inputOutput))
        #expect { try write(files) } throws: { ($0 as? FileCoordinationError)?.code == .durabilityUnknown }
        #expect(try content(folder) == Self.new)
    }

    @Test
    func aBusyTargetIsToldAndLeavesNothing() throws {
        let (folder, base, write) = try prepare(.replaced)
        let files = FaultyFileSystem(base, fault: .named("rename", errno: .busy))
        #expect { try write(files) } throws: { ($0 as? FileCoordinationError)?.code == .busy }
        #expect(try content(folder) == Self.old)
        #expect(try temporaries(folder).isEmpty)
    }
}
