import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("CoordinatedFile: what a replaced file keeps")
struct CoordinatedFileMetadataTests {
    let folder: TemporaryFolder
    let file = CoordinatedFile()
    let local = LocalFileSystem()

    init() throws { folder = try TemporaryFolder() }

    private func attributes(_ name: String) throws -> FileAttributes {
        try local.attributes(at: folder(name), followLinks: false)
    }

    private func chmod(_ mode: UInt32, _ name: String) throws {
        let opened = try local.open(folder(name), [.read])
        try local.closing(opened) { () throws(Errno) in
            try local.setPermissions(FilePermissions(rawValue: mode), of: opened)
        }
    }

    @Test
    func aNewFileHasTheModeThatTheUmaskLeaves() throws {
        try folder.write("x", to: "ordinary")
        try file.write([1], to: folder("new"))
        #expect(try attributes("new").permissions == attributes("ordinary").permissions)
        try file.write([1], to: folder("private"), permissions: .privateFile)
        #expect(try attributes("private").permissions == .privateFile)
    }

    @Test(arguments: [0o600, 0o640, 0o755, 0o444] as [UInt32])
    func theModeIsKept(mode: UInt32) throws {
        try folder.write("old", to: "a")
        try chmod(mode, "a")
        try file.write([1], to: folder("a"))
        #expect(try attributes("a").permissions.rawValue == mode)
    }

    @Test
    func theTemporaryFileOfAReplacedFileIsPrivateUntilTheEnd() throws {
        try folder.write("old", to: "a")
        try chmod(0o644, "a")
        let files = FaultyFileSystem()
        try CoordinatedFile(files: files).write(to: folder("a")) { _ in
            let name = try #require(try folder.names().first { TemporaryName($0) != nil })
            #expect(try attributes(name).permissions == .privateFile)
        }
        #expect(try attributes("a").permissions.rawValue == 0o644)
    }

    @Test(.enabled(if: getuid() == 0, "only root can give files away"))
    func theOwnerIsKept() throws {
        try folder.write("old", to: "a")
        try FileManager.default.setAttributes(
            [.ownerAccountID: 1000, .groupOwnerAccountID: 1000], ofItemAtPath: folder("a"))
        try chmod(0o640, "a")
        try file.write([1], to: folder("a"))
        let kept = try attributes("a")
        #expect([kept.owner, kept.group, kept.permissions.rawValue] == [1000, 1000, 0o640])
    }

    @Test(.enabled(if: getuid() == 0, "only root can give files away"))
    func aGroupThatCannotBeKeptGetsNoMoreThanEverybody() throws {
        try folder.write("old", to: "a")
        try FileManager.default.setAttributes(
            [.ownerAccountID: 1000, .groupOwnerAccountID: 1000], ofItemAtPath: folder("a"))
        try chmod(0o4664, "a")
        let files = FaultyFileSystem(fault: .named("setOwner", errno: .notPermitted))
        try CoordinatedFile(files: files).write([1], to: folder("a"))
        #expect(files.tripped)
        #expect(try attributes("a").permissions.rawValue == 0o644)
    }

    @Test
    func extendedAttributesAreKept() throws {
        try folder.write("old", to: "a")
        let attribute = try #require(ExtendedAttribute())
        guard attribute.set("user.k", [118], at: folder("a")) else { return }
        try file.write([1], to: folder("a"))
        #expect(attribute.get("user.k", at: folder("a")) == [118])
    }

    /// One entry each for owner, user 12345, group, mask and others, as `acl(5)` is kept in attributes: version 2.
    private static let accessList: [UInt8] = [
        2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 4, 0, 0x39, 0x30, 0, 0, 4, 0, 4, 0, 255, 255, 255, 255,
        0x10, 0, 4, 0, 255, 255, 255, 255, 0x20, 0, 0, 0, 255, 255, 255, 255,
    ]

    @Test
    func theAccessListIsKept() throws {
        try folder.write("old", to: "a")
        let attribute = try #require(ExtendedAttribute())
        guard attribute.set("system.posix_acl_access", Self.accessList, at: folder("a")) else { return }
        try file.write([1], to: folder("a"))
        #expect(attribute.get("system.posix_acl_access", at: folder("a")) == Self.accessList)
        #expect(try attributes("a").permissions.rawValue == 0o640)
    }

    @Test
    func aReplacedFileGetsNoRightsFromItsFolder() throws {
        // The file was there before the folder got its list, and user 12345 may not read it.
        try folder.write("old", to: "a")
        try chmod(0o640, "a")
        let attribute = try #require(ExtendedAttribute())
        guard attribute.set("system.posix_acl_default", Self.accessList, at: folder.path) else { return }
        try file.write([1], to: folder("a"))
        #expect(attribute.get("system.posix_acl_access", at: folder("a")) == nil)
        #expect(try attributes("a").permissions.rawValue == 0o640)
        // A new one is as the folder wishes.
        try file.write([1], to: folder("new"))
        #expect(attribute.get("system.posix_acl_access", at: folder("new")) != nil)
    }

    /// With what mode the temporary file is made, for an old file of a mode.
    private func firstMode(old mode: UInt32) throws -> UInt32? {
        try chmod(mode, "a")
        let files = ModeRecorder()
        try CoordinatedFile(files: files).write([1], to: folder("a"))
        #expect(try attributes("a").permissions.rawValue == mode)
        return files.modes.value.first?.rawValue
    }

    @Test
    func whatEverybodyMayReadIsMadeWithItsModeAndNothingElseIs() throws {
        try folder.write("old", to: "a")
        for mode in [0o644, 0o666, 0o755] as [UInt32] { #expect(try firstMode(old: mode) == mode) }
        for mode in [0o600, 0o640, 0o664, 0o604, 0o646, 0o044, 0o444, 0o4755, 0o1644] as [UInt32] {
            #expect(try firstMode(old: mode) == 0o600, "\(String(mode, radix: 8))")
        }
    }

    @Test
    func aModeThatIsRightFromTheStartIsNotSet() throws {
        try folder.write("old", to: "a")
        try chmod(0o644, "a")
        let files = FaultyFileSystem()
        try CoordinatedFile(files: files, durability: .fast).write([1], to: folder("a"))
        let calls = ["attributes", "hasExtendedAttributes", "open", "write", "attributes", "removeAccessList", "close"]
        #expect(files.calls.map(\.name).prefix(8) == ArraySlice(calls + ["rename"]))
    }

    @Test
    func attributesThatCouldTakeARightAwayKeepTheTemporaryFilePrivate() throws {
        try folder.write("old", to: "a")
        let attribute = try #require(ExtendedAttribute())
        guard attribute.set("user.k", [118], at: folder("a")) else { return }
        #expect(try firstMode(old: 0o644) == 0o600)
        #expect(attribute.get("user.k", at: folder("a")) == [118])
    }

    @Test(arguments: ["hasExtendedAttributes", "removeAccessList"])
    func whatCannotBeAskedOfAPlainFileIsLeftOut(call: String) throws {
        try folder.write("old", to: "a")
        try chmod(0o644, "a")
        let files = FaultyFileSystem(fault: .named(call, errno: .notPermitted))
        try CoordinatedFile(files: files).write([1], to: folder("a"))
        #expect(files.tripped)
        #expect(try file.read(at: folder("a")) == [1])
        #expect(try attributes("a").permissions.rawValue == 0o644)
    }

    @Test(arguments: ["copyExtendedAttributes", "setPermissions"])
    func whatMayNotBeSetIsLeftOut(call: String) throws {
        try folder.write("old", to: "a")
        try chmod(0o640, "a")
        let files = FaultyFileSystem(fault: .named(call, errno: .notPermitted))
        try CoordinatedFile(files: files).write([1], to: folder("a"))
        #expect(files.tripped)
        #expect(try file.read(at: folder("a")) == [1])
    }

    @Test
    func anotherHardLinkKeepsTheOldContent() throws {
        try folder.write("old", to: "a")
        try FileManager.default.linkItem(atPath: folder("a"), toPath: folder("b"))
        try file.write(Array("new".utf8), to: folder("a"))
        #expect(try folder.text(of: "a") == "new")
        #expect(try folder.text(of: "b") == "old")
    }
}

/// Notes with what permissions files are made.
private struct ModeRecorder: ForwardingFileSystem {
    let base: any FileSystem = LocalFileSystem()
    let modes = Shared<[FilePermissions]>([])

    func open(_ path: String, _ options: OpenOptions, permissions: FilePermissions) throws(Errno) -> OpenFile {
        if options.contains(.create) { modes.change { $0.append(permissions) } }
        return try base.open(path, options, permissions: permissions)
    }
}

/// The calls that Swift on Linux does not import.
private struct ExtendedAttribute {
    private typealias Set =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) ->
        Int32
    private typealias Get =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
        ) -> Int
    private let setter: Set
    private let getter: Get

    init?() {
        guard let set = dlsym(nil, "setxattr"), let get = dlsym(nil, "getxattr") else { return nil }
        setter = unsafeBitCast(set, to: Set.self)
        getter = unsafeBitCast(get, to: Get.self)
    }

    func set(_ name: String, _ value: [UInt8], at path: String) -> Bool {
        setter(path, name, value, value.count, 0) == 0
    }

    func get(_ name: String, at path: String) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: 256)
        let count = getter(path, name, &value, value.count)
        return count < 0 ? nil : Array(value.prefix(count))
    }
}
