import FileCoordination
import Foundation
import TestSupport
import Testing

/// Two devices whose folders a real program carries, with all that it does to files.
@Suite("Carried by real programs", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct CarryingEngineTests {
    private let directory: LiveDirectory
    private let devices: CarriedMirrors

    init() throws {
        directory = try LiveDirectory()
        devices = try CarriedMirrors("a", "b", in: directory)
    }

    private var folders: [String] { ["a", "b"].map { directory.path(CarriedMirrors.folder($0)) } }

    @Test(arguments: CarryingEngine.installed)
    func conflictingSavesConvergeNothingIsLostAndNamesOfConflictsAreRead(engine: CarryingEngine) throws {
        try devices.write("begun\n", to: "a/notes.md")
        try devices.settle("a", "--create")
        let carrier = try Carrier(engine, between: folders, in: directory)
        defer { carrier.end() }
        try carrier.carry()
        try devices.settle("b")
        try conflict(carrier)
        try tear(engine, carrier)
        try carrier.carry()
        try devices.settle("b")
        #expect(devices.areEqual("a", "b"))
        try devices.verifyStores("a", "b")
    }

    /// Both save the same files before either hears of the other.
    private func conflict(_ carrier: Carrier) throws {
        let rounds = LiveMachine.isPatient ? 3 : 1
        for round in 0..<rounds {
            for name in ["a", "b"] {
                try devices.write(
                    (devices.text("\(name)/notes.md") ?? "") + "\(name) wrote \(round)\n", to: "\(name)/notes.md")
                try devices.write("\(name) made \(round)\n", to: "\(name)/both.md")
                try devices.write("\(name)\n", to: "\(name)/of \(name)/\(round).txt")
            }
            try devices.settleTogether("a", "b")
            try carrier.carry()
            try devices.settleTogether("a", "b")
        }
        #expect(devices.areEqual("a", "b"), "\(devices.files("a").keys) \(devices.files("b").keys)")
        #expect(devices.files("a").count == 2 + 2 * rounds)
        let notes = devices.text("b/notes.md") ?? ""
        for name in ["a", "b"] {
            for round in 0..<rounds { #expect(notes.contains("\(name) wrote \(round)\n"), "\(notes)") }
            #expect(devices.text("a/both.md")?.contains("\(name) made \(rounds - 1)\n") == true)
        }
    }

    /// What `a` sends is there already with `b`, cut off: the program gives one of the two another name.
    private func tear(_ engine: CarryingEngine, _ carrier: Carrier) throws {
        let before = Set(devices.files(CarriedMirrors.folder("a")).keys)
        try devices.write("what is carried under another name\n", to: "a/torn.txt")
        try devices.settle("a")
        let files = devices.files(CarriedMirrors.folder("a"))
        let name = try #require(files.keys.first { !before.contains($0) })
        let torn = folders[1] + "/" + name
        try #require(files[name]).prefix(150).write(to: URL(fileURLWithPath: torn))
        // The newer one, for those who ask; the client of Nextcloud waits for a file whose time has yet to come.
        if engine != .nextcloud {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 5)], ofItemAtPath: torn)
        }
        // The torn one is first at the server.
        try carrier.carry(1)
        try carrier.carry()
        let conflicts =
            Array(devices.files(CarriedMirrors.folder("a")).keys)
            + Array(devices.files(CarriedMirrors.folder("b")).keys)
        #expect(conflicts.contains(where: engine.isConflictName), "\(conflicts)")
        if engine == .nextcloud {
            // It keeps the copy to itself: `a` finds its own file damaged, and writes it again.
            try devices.run("a")
            try carrier.carry()
        }
        try devices.run("b")
        #expect(devices.text("b/torn.txt") == "what is carried under another name\n", "\(conflicts)")
        try devices.run("a")
    }
}
