import TestSupport
import Testing

@testable import FileCoordination

@Suite("Choosing a shared folder")
struct ResolverTests {
    private var home: PlacesHome

    init() throws { home = try PlacesHome() }

    private func dropbox(_ path: String) throws {
        try home.write(#"{"personal": {"path": "\#(path)"}}"#, to: ".dropbox/info.json")
    }

    private func syncthing(_ path: String, isPaused: Bool = false) throws {
        try home.write(
            #"<configuration><folder path="\#(path)" paused="\#(isPaused)"/></configuration>"#,
            to: ".config/syncthing/config.xml")
    }

    @Test func anEmptyHomeFallsBackAndSaysSo() throws {
        #expect(home.findings() == SharedFolderResolver.Findings())
        let resolution = try home.resolver().resolve(subfolder: "MyApp")
        guard case .fellBack(let path, let why) = resolution else {
            Issue.record("found something: \(resolution)")
            return
        }
        #if os(Linux)
            #expect(path == home(".local/share/MyApp"))
        #endif
        #expect(why.description == "no sync service with a folder was found")
        #expect(try home.resolver().resolve(subfolder: "MyApp", fallback: "/elsewhere").path == "/elsewhere")
    }

    @Test func aFoundFolderIsChosenWithTheSubfolder() throws {
        try home.makeFolder("Dropbox")
        try dropbox("~/Dropbox")
        guard case .found(let folder, let path) = try home.resolver().resolve(subfolder: "My App/data") else {
            Issue.record("fell back")
            return
        }
        #expect(folder.service == .dropbox)
        #expect(path == home("Dropbox/My App/data"))
        #expect(try home.resolver().resolve().path == home("Dropbox"))
        #expect(try LocalFileSystem.local.list(home("Dropbox")).isEmpty)
    }

    @Test func theOrderOfServicesDecidesAndCanBeChanged() throws {
        try home.makeFolder("Dropbox")
        try home.makeFolder("Sync")
        try dropbox("~/Dropbox")
        try syncthing("~/Sync")
        #expect(try home.resolver().resolve().path == home("Dropbox"))
        #expect(try home.resolver().resolve(preferring: [.box, .syncthing]).path == home("Sync"))
        var asked = home
        asked.environment[SharedFolderResolver.preferenceVariable] = "nothing, syncthing"
        #expect(try asked.resolver().resolve().path == home("Sync"))
        #expect(try asked.resolver().resolve(preferring: [.dropbox]).path == home("Sync"), "the user's word is first")
        #expect(asked.findings().problems.map(\.service.rawValue) == ["nothing"])
    }

    @Test func aSubfolderThatExistsStaysTheOne() throws {
        try home.makeFolder("Dropbox")
        try home.makeFolder("Sync/MyApp")
        try dropbox("~/Dropbox")
        try syncthing("~/Sync", isPaused: true)
        #expect(try home.resolver().resolve(subfolder: "MyApp").path == home("Sync/MyApp"))
        #expect(try home.resolver().resolve(subfolder: "Other").path == home("Dropbox/Other"))
        #expect(try home.resolver().resolve(subfolder: "MyApp", preferring: [.dropbox]).path == home("Dropbox/MyApp"))
    }

    @Test func aPausedServiceIsBetterThanNone() throws {
        try home.makeFolder("Sync")
        try syncthing("~/Sync", isPaused: true)
        #expect(try home.resolver().resolve().path == home("Sync"))
    }

    @Test func aConfiguredFolderIsBeforeAnAssumedOne() throws {
        try home.makeFolder("MEGA")
        try home.makeFolder("Sync")
        try home.write("x", to: ".megaCmd/session")
        try syncthing("~/Sync")
        #expect(try home.resolver().resolve().path == home("Sync"))
    }

    @Test func aMissingFolderIsToldAsTheReason() throws {
        try dropbox("/media/away/Dropbox")
        guard case .fellBack(_, let why) = try home.resolver().resolve() else {
            Issue.record("found")
            return
        }
        #expect(why.unusable.map(\.state) == [.missing])
        #expect(why.description.contains("'/media/away/Dropbox' cannot be used: it is not there"))
    }

    @Test func unreadableSettingsAreToldAsTheReason() throws {
        try dropbox("/d")
        let files = FaultyFileSystem(fault: .named("open", pathSuffix: "info.json", errno: .accessDenied))
        guard case .fellBack(_, let why) = try home.resolver(files: files).resolve() else {
            Issue.record("found")
            return
        }
        #expect(why.problems.map(\.service) == [.dropbox])
        #expect(why.problems.map(\.error.code) == [.notPermitted])
        #expect(why.description.contains("permission denied; check the owner"))
        #expect(files.openFiles == 0)
    }

    @Test(arguments: ["", "/a", "..", "a/../..", "a//b", "./a", "a/", "a\0b"])
    func aSubfolderThatLeavesTheFolderIsRefused(subfolder: String) throws {
        #expect {
            _ = try home.resolver().resolve(subfolder: subfolder)
        } throws: { ($0 as? FileCoordinationError)?.code == .invalidName }
    }

    @Test func eachStateOfAFolderIsTold() throws {
        try home.makeFolder("Sync")
        try home.write("file", to: "file")
        let states: [(String, FaultyFileSystem.Fault, SyncFolder.State)] = [
            ("~/Sync", .none, .exists), ("~/none", .none, .missing), ("~/file", .none, .notFolder),
            ("~/file/x", .none, .notFolder),
            ("~/Sync", .named("open", pathSuffix: "/Sync", errno: .accessDenied), .unreadable),
            ("~/Sync", .named("attributes", pathSuffix: "/Sync", errno: .notConnected), .unreadable),
            ("~/Sync", .named("checkWritable", pathSuffix: "/Sync", errno: .readOnlyFileSystem), .oneWay),
        ]
        for (path, fault, state) in states {
            try syncthing(path)
            let folder = try #require(home.findings(files: FaultyFileSystem(fault: fault)).folders.first)
            #expect(folder.state == state, "\(path)")
            #expect((folder.problem != nil) == fault.isSet, "\(path)")
        }
    }

    @Test func whateverCallFailsNothingTrapsAndNothingStaysOpen() throws {
        try home.makeFolder("Dropbox")
        try home.makeFolder("Sync")
        try home.makeFolder(".var/app/x/config")
        try dropbox("~/Dropbox")
        try syncthing("~/Sync")
        let counted = FaultyFileSystem()
        _ = home.findings(files: counted)
        for call in 1...counted.callCount {
            let errno = [Errno.inputOutput, .noSuchFile, .accessDenied][call % 3]
            let files = FaultyFileSystem(fault: .once(call: call, errno: errno))
            let findings = home.findings(files: files)
            #expect(files.openFiles == 0, "call \(call)")
            #expect(findings.folders.count <= 2, "call \(call)")
        }
    }

    @Test func nothingIsWrittenAnywhere() throws {
        try home.makeFolder("Dropbox")
        try dropbox("~/Dropbox")
        try home.writeSystem("", to: "mountinfo")
        let files = FaultyFileSystem()
        _ = try home.resolver(files: files).resolve(subfolder: "App")
        let reading = ["open", "close", "read", "attributes", "list", "checkWritable"]
        #expect(files.calls.allSatisfy { reading.contains($0.name) })
    }

    @Test func theHomeIsThatOfTheEnvironmentIfItIsAbsolute() {
        #expect(UserDirectories(home: nil, environment: ["HOME": "/h/"]).home == "/h")
        #expect(UserDirectories(home: "/given", environment: ["HOME": "/h"]).home == "/given")
        #expect(UserDirectories(home: nil, environment: ["HOME": "relative"]).home.hasPrefix("/"))
        #expect(
            UserDirectories(home: "/h", environment: ["XDG_CONFIG_HOME": "/x"]).configFolders == ["/x", "/h/.config"])
        #expect(UserDirectories(home: "/h", environment: ["XDG_CONFIG_HOME": "x"]).configFolders == ["/h/.config"])
    }

    @Test func everyServiceIsThereOnceUnderItsName() {
        #expect(Set(SyncService.findable).count == SyncService.findable.count)
        #expect(SyncService.findable.first == .iCloud)
        #expect(SyncService.findable.last == .unison)
        #expect(SyncService.findable.count == 21)
    }
}

extension FaultyFileSystem.Fault {
    fileprivate var isSet: Bool {
        if case .none = self { false } else { true }
    }
}
