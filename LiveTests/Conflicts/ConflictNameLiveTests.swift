import FileCoordination
import Foundation
import TestSupport
import Testing

@Suite("Conflict names, many", .enabled(if: LiveGate.isOpen, LiveGate.reason))
struct ConflictNameLiveTests {
    @Test
    func aHundredThousandOrdinaryNamesAreAtMostPossible() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var maker = OrdinaryNameMaker(seed: seed)
        for _ in 0..<100_000 {
            let name = maker.name()
            let readings = ConflictName.readings(of: name)
            #expect(readings.allSatisfy { $0.strength == .weak }, "seed \(seed): \(name)")
        }
    }

    @Test
    func aFolderOfAHundredThousandHasNoCertainOrProbableConflict() throws {
        let directory = try LiveDirectory()
        let seed = UInt64.random(in: 0 ... .max)
        var maker = OrdinaryNameMaker(seed: seed)
        let files = LocalFileSystem()
        for _ in 0..<100_000 {
            try files.close(files.open(directory.path(maker.name()), [.write, .create]))
        }
        let found = try SiblingConflictSource(files: files).report(at: directory.url.path).conflicts
        #expect(found.allSatisfy { $0.confidence == .possible && $0.rootExists }, "seed \(seed)")
    }
}
