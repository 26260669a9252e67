import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("CoordinatedFile: any call may fail")
struct CoordinatedFileFaultTests {
    @Test(arguments: WriteScenario.allCases, [Errno.noSpace, .inputOutput, .interrupted, .accessDenied])
    func theTargetIsOldOrNewAndNoTemporaryIsLeft(scenario: WriteScenario, errno: Errno) throws {
        var number = 1
        while true {
            let place = try WritePlace(scenario)
            let files = FaultyFileSystem(place.base, fault: .once(call: number, errno: errno))
            // A short write each time, too.
            files.writeAtMost(5)
            let failure = try place.run(with: files)
            let failed = files.calls.indices.contains(number - 1) ? files.calls[number - 1].name : "none"
            let note: Comment = "call \(number), \(failed)"
            if let failure {
                #expect(failure.path.hasPrefix(place.folder.path), note)
                #expect(failure.errno == errno || failure.code == .notSupported, note)
                #expect(!failure.remedy.isEmpty, note)
            }
            let isDone = failure.map { $0.code == .durabilityUnknown } ?? true
            #expect(try place.content == (isDone ? scenario.new : scenario.old), note)
            // One failing removal after success, of a name that nobody needs any more, is left to the sweep.
            if failed != "removeFile" { #expect(try place.temporaries.isEmpty, note) }
            #expect(files.openFiles == 0, note)
            if !files.tripped { return }
            number += 1
        }
    }

    @Test(arguments: WriteScenario.allCases)
    func afterDeathTheTargetIsOldOrNewAndTheSweepTakesTheRest(scenario: WriteScenario) throws {
        var number = 1
        while true {
            let place = try WritePlace(scenario)
            let files = FaultyFileSystem(place.base, fault: .death(call: number))
            _ = try place.run(with: files)
            let found = try place.content
            #expect(found == scenario.new || found == scenario.old, "call \(number)")
            // What a living process left is never taken from it, however old.
            for folder in place.folders {
                #expect(try CoordinatedFile().sweepTemporaryFiles(in: folder, now: .distantFuture).isEmpty)
            }
            try place.pretendTheWriterDied()
            for folder in place.folders { try CoordinatedFile().sweepTemporaryFiles(in: folder, now: .distantFuture) }
            #expect(try place.temporaries.isEmpty, "call \(number)")
            #expect(try place.content == found, "call \(number)")
            if !files.tripped { return }
            number += 1
        }
    }

    @Test(arguments: [Errno.invalidArgument, .notSupported, .badDescriptor, .notPermitted, .accessDenied])
    func aFolderThatCannotBeSyncedIsNoFailure(errno: Errno) throws {
        let place = try WritePlace(.replaced)
        let files = FaultyFileSystem(place.base, fault: .named("syncDirectory", errno: errno))
        #expect(try place.run(with: files) == nil)
        #expect(files.tripped)
        #expect(try place.content == WriteScenario.replaced.new)
    }

    @Test
    func aFailingSyncOfTheFolderIsNotToldAsNotWritten() throws {
        let place = try WritePlace(.replaced)
        let files = FaultyFileSystem(place.base, fault: .named("syncDirectory", errno: .inputOutput))
        #expect(try place.run(with: files)?.code == .durabilityUnknown)
        #expect(try place.content == WriteScenario.replaced.new)
    }

    @Test
    func aBusyTargetIsToldAndLeavesNothing() throws {
        let place = try WritePlace(.replaced)
        let files = FaultyFileSystem(place.base, fault: .named("rename", errno: .busy))
        #expect(try place.run(with: files)?.code == .busy)
        #expect(try place.content == WriteScenario.replaced.old)
        #expect(try place.temporaries.isEmpty)
    }
}
