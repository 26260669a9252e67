import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Probes")
struct ProbeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func expectChange(
        in probe: some ChangeProbe, _ isExpected: Bool = true, location: SourceLocation = #_sourceLocation,
        by change: () throws -> Void
    ) async throws {
        let before = try await probe.fingerprint()
        #expect(try await probe.fingerprint() == before, "it is stable", sourceLocation: location)
        try change()
        #expect((try await probe.fingerprint() != before) == isExpected, sourceLocation: location)
    }

    @Test func aFileIsSeenToChangeComeAndGo() async throws {
        let probe = FileProbe(folder("note.md"))
        try await expectChange(in: probe) { try folder.write("a", to: "note.md") }
        try await expectChange(in: probe) { try folder.write("ab", to: "note.md") }
        try await expectChange(in: probe) {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: folder("note.md"))
        }
        try await expectChange(in: probe, false) { try folder.write("x", to: "other.md") }
        try await expectChange(in: probe) { try LocalFileSystem.local.removeFile(folder("note.md")) }
    }

    @Test func aFileWhoseFolderIsAwayCannotBeLookedAt() async throws {
        let probe = FileProbe(folder("disk/note.md"))
        await #expect(throws: FileCoordinationError.listing(folder("disk"), .noSuchFile)) {
            try await probe.fingerprint()
        }
    }

    @Test func entriesOfAFolderAreSeenToChange() async throws {
        let probe = FolderProbe(folder.path)
        try await expectChange(in: probe) { try folder.write("a", to: "a.md") }
        try await expectChange(in: probe) { try folder.write("ab", to: "a.md") }
        try await expectChange(in: probe) { try LocalFileSystem.local.rename(folder("a.md"), to: folder("b.md")) }
        try await expectChange(in: probe) { try folder.makeFolder("sub") }
        try folder.write("1", to: "sub/deep.md")
        try await expectChange(in: probe, false) { try folder.write("12", to: "sub/deep.md") }
        try await expectChange(in: probe) { try LocalFileSystem.local.removeFile(folder("b.md")) }
    }

    @Test func aTreeIsSeenToChangeAtAnyDepth() async throws {
        try folder.makeFolder("a/b/c")
        try folder.makeFolder("z")
        try folder.write("1", to: "a/b/c/deep.md")
        let probe = FolderProbe(folder.path, depth: .tree(limit: 100))
        try await expectChange(in: probe) { try folder.write("12", to: "a/b/c/deep.md") }
        try await expectChange(in: probe) {
            try LocalFileSystem.local.rename(folder("a/b/c/deep.md"), to: folder("z/deep.md"))
        }
    }

    @Test func temporaryFilesDoNotCount() async throws {
        try await expectChange(in: FolderProbe(folder.path), false) { try folder.write("x", to: ".note.md.swp") }
        let all = FolderProbe(folder.path, ignores: { _ in false })
        try await expectChange(in: all) { try folder.write("x", to: "x.tmp") }
    }

    @Test func aTreeThatIsTooLargeIsAnErrorNotAPart() async throws {
        try folder.makeFolder("sub")
        for number in 0..<10 { try folder.write("", to: "sub/\(number)") }
        _ = try await FolderProbe(folder.path, depth: .tree(limit: 11)).fingerprint()
        await #expect {
            _ = try await FolderProbe(folder.path, depth: .tree(limit: 10)).fingerprint()
        } throws: { ($0 as? FileCoordinationError)?.code == .limitReached }
    }

    @Test func aFolderThatIsAwayCannotBeLookedAt() async throws {
        await #expect(throws: FileCoordinationError.listing(folder("disk"), .noSuchFile)) {
            try await FolderProbe(folder("disk")).fingerprint()
        }
    }

    @Test func aSubfolderThatMayNotBeListedHidesNothingElse() async throws {
        try folder.makeFolder("locked")
        try folder.write("1", to: "note.md")
        let files = FaultyFileSystem(fault: .named("open", pathSuffix: "/locked", errno: .accessDenied))
        let probe = FolderProbe(folder.path, depth: .tree(limit: 100), files: files)
        try await expectChange(in: probe) { try folder.write("12", to: "note.md") }
        files.set(.named("open", pathSuffix: "/locked", errno: .notConnected))
        await #expect(throws: FileCoordinationError.self) { try await probe.fingerprint() }
        #expect(files.openFiles == 0)
    }

    @Test func whateverCallFailsNothingStaysOpen() async throws {
        try folder.makeFolder("a/b")
        try folder.write("1", to: "a/b/note.md")
        let counted = FaultyFileSystem()
        _ = try await FolderProbe(folder.path, depth: .tree(limit: 100), files: counted).fingerprint()
        for call in 1...counted.callCount {
            let files = FaultyFileSystem(fault: .once(call: call, errno: .inputOutput))
            let probe = FolderProbe(folder.path, depth: .tree(limit: 100), files: files)
            await #expect(throws: FileCoordinationError.self, "call \(call)") { try await probe.fingerprint() }
            #expect(files.openFiles == 0, "call \(call)")
        }
    }

    @Test func aProbeThatADeadMountHoldsHoldsNoOtherTask() async throws {
        // As many as fill the cooperative pool, were they on it.
        let files = HangingFileSystem()
        defer { files.release() }
        let hanging = (0..<64).map { _ in
            Task { try await FileProbe("/dead/file", files: files).fingerprint() }
        }
        #expect(await eventually { files.waiting == 64 })
        _ = try await FolderProbe(folder.path).fingerprint()
        for task in hanging { task.cancel() }
        for task in hanging { await #expect(throws: CancellationError.self) { try await task.value } }
    }

    @Test func fingerprintsOfTheSameAreTheSame() {
        #expect(ChangeFingerprint("etag") == ChangeFingerprint(Array("etag".utf8)))
        #expect(ChangeFingerprint("etag") != ChangeFingerprint("etag2"))
        #expect(ChangeFingerprint("").description.count == 16)
    }
}

/// A mount whose server is gone: asking for attributes does not return until it is released.
private final class HangingFileSystem: ForwardingFileSystem {
    let base: any FileSystem = .local
    private let count = Mutex(0)
    private let held = DispatchSemaphore(value: 0)

    var waiting: Int { count.withLock { $0 } }

    func release() { for _ in 0..<waiting { held.signal() } }

    func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes {
        count.withLock { $0 += 1 }
        held.wait()
        throw .notConnected
    }
}
