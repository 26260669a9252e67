import FileCoordination
import Foundation
import TestSupport
import Testing

@Suite("Writing: power cuts", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct WritingPowerCutTests {
    struct Disk: Sendable, CustomTestStringConvertible {
        var kind: LiveMount.Kind
        var options: String?
        var testDescription: String { kind.rawValue + (options.map { " \($0)" } ?? "") }

        /// With ext4's help for programs that do not sync, and without it.
        static let all = [
            Disk(kind: .ext4, options: nil), Disk(kind: .ext4, options: "noauto_da_alloc"),
            Disk(kind: .xfs, options: nil),
        ].filter { LiveMount.Kind.mountable.contains($0.kind) }
    }

    private func content(_ number: Int) -> [UInt8] {
        Array("\(number) ".utf8) + [UInt8](repeating: 120, count: number * 7919 % 60_000)
    }

    private func number(in bytes: [UInt8]) -> Int? {
        Int(String(decoding: bytes.prefix { $0 != 32 }, as: UTF8.self)).flatMap { content($0) == bytes ? $0 : nil }
    }

    @Test(arguments: Disk.all, [true, false])
    func whatAFullWriteAcknowledgedIsThereAndNothingIsTorn(disk: Disk, flushingTheLog: Bool) async throws {
        let seed = UInt64.random(in: 1...1_000_000)
        print("\(disk.testDescription), seed \(seed)")
        var random = SeededRandom(seed: seed)
        let mount = try LiveMount(disk.kind, options: disk.options)
        let names = (0..<8).map { "f\($0)" }
        for round in 1...(LiveMachine.isPatient ? 5 : 3) {
            let acknowledged = try await writeUntilTheCut(
                mount, names, flushingTheLog, after: UInt32.random(in: 5_000..<60_000, using: &random))
            try mount.remount()
            for (index, name) in names.enumerated() {
                let found = try #require(
                    number(in: try CoordinatedFile().read(at: mount(name))), "\(name) is torn, seed \(seed)")
                let last = try #require(acknowledged[index])
                let note: Comment = "\(name) holds \(found), not \(last), in round \(round), seed \(seed)"
                // Those that were on their way may be there as well.
                #expect(found >= last && found % names.count == index, note)
            }
            let strange = try FileManager.default.contentsOfDirectory(atPath: mount.path)
                .filter { !names.contains($0) && !$0.hasPrefix("~syncthing~fc-") && $0 != "lost+found" }
            #expect(strange.isEmpty)
        }
    }

    /// What was acknowledged last of each file before the cut.
    ///
    /// Before, for a process does not live on in a real one: XFS, once shut down, says of a folder whose changes it has
    /// dropped that it is synced.
    private func writeUntilTheCut(
        _ mount: LiveMount, _ names: [String], _ flushingTheLog: Bool, after pause: UInt32
    ) async throws -> [Int: Int] {
        let acknowledged = Shared<[Int: Int]>([:])
        let began = DispatchSemaphore(value: 0)
        let path = mount.path
        let writing = Task {
            try await onOwnThread {
                var step = 0
                while true {
                    let index = step % names.count
                    do { try CoordinatedFile().write(content(step), to: "\(path)/\(names[index])") } catch { return }
                    acknowledged.change { $0[index] = step }
                    step += 1
                    if step == names.count { began.signal() }
                }
            }
        }
        try await onOwnThread {
            began.wait()
            usleep(pause)
        }
        let before = acknowledged.value
        try mount.cutPower(flushingTheLog: flushingTheLog)
        try await writing.value
        return before
    }

    @Test(arguments: Disk.all)
    func aBatchIsThereAndAContentWriteIsOldOrNew(disk: Disk) throws {
        let mount = try LiveMount(disk.kind, options: disk.options)
        let names = (0..<20).map { mount("b\($0)") }
        for name in names + [mount("c")] { try CoordinatedFile().write(content(1), to: name) }
        try CoordinatedFile().writeAll(names.map { FileCoordination.FileContent(path: $0, bytes: content(2)) })
        try CoordinatedFile(durability: .content).write(content(2), to: mount("c"))
        // The proof that the cut is one: what was not synced is not there.
        let files = LocalFileSystem()
        let bare = try files.open(mount("bare"), [.write, .create])
        _ = try content(3).withUnsafeBytes { bytes in try files.write(bytes, to: bare) }
        try files.close(bare)
        try mount.cutPower(flushingTheLog: false)
        #expect(throws: FileCoordinationError.self) { try CoordinatedFile().write([1], to: mount("after")) }
        try mount.remount()
        for name in names { #expect(number(in: try CoordinatedFile().read(at: name)) == 2) }
        let either = number(in: try CoordinatedFile().read(at: mount("c")))
        #expect(either == 1 || either == 2)
        #expect(try CoordinatedFile().state(at: mount("bare")) != FileState(of: content(3)))
    }
}
