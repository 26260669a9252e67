import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Folders of Dropbox and Maestral")
struct DropboxPlacesTests {
    private let home: PlacesHome

    init() throws { home = try PlacesHome() }

    @Test func everyAccountOfInfoIsFoundTheOwnFirst() throws {
        try home.makeFolder("Dropbox (Personal)")
        try home.makeFolder("Größe/Dropbox 日本")
        let source = try home.write(
            """
            {"business": {"path": "\(home.path)/Gr\\u00f6\\u00dfe/Dropbox 日本/", "host": 2, "is_team": true,
              "subscription_type": "Business"}, "personal": {"path": "~/Dropbox (Personal)", "host": 1}}
            """, to: ".dropbox/info.json")
        let folders = home.folders(of: .dropbox)
        #expect(folders.map(\.account) == ["personal", "business"])
        #expect(folders.map(\.path) == [home("Dropbox (Personal)"), home("Größe/Dropbox 日本")])
        #expect(folders.map(\.state) == [.exists, .exists])
        #expect(folders.allSatisfy { $0.source == source && $0.basis == .configured })
        #expect(home.findings().problems.isEmpty)
    }

    @Test func anAccountWithoutAPathDoesNotHideTheOthers() throws {
        try home.write(#"{"business": {"path": 7}, "personal": {"path": "/d"}}"#, to: ".dropbox/info.json")
        #expect(home.paths(of: .dropbox) == ["/d"])
        #expect(home.problems(of: .dropbox).map(\.code) == [.malformed])
        #expect(home.problems(of: .dropbox).first?.what.contains("'business'") == true)
    }

    @Test func theLegacyFileIsReadWhereThereIsNoOther() throws {
        let path = Data("/home/ü/Dropbox".utf8).base64EncodedString()
        try home.write("0123abcd\r\n\(path)\r\n", to: ".dropbox/host.db")
        #expect(home.paths(of: .dropbox) == ["/home/ü/Dropbox"])
        try home.write(#"{"personal": {"path": "/new"}}"#, to: ".dropbox/info.json")
        #expect(home.paths(of: .dropbox) == ["/new"])
    }

    @Test(arguments: ["", "one line", "first\n***", "first\n/w==", "first\n"])
    func aBrokenLegacyFileIsReported(text: String) throws {
        let source = try home.write(text, to: ".dropbox/host.db")
        #expect(home.paths(of: .dropbox).isEmpty)
        #expect(home.problems(of: .dropbox).map(\.path) == [source])
    }

    @Test(
        arguments: [
            "", "{", "[]", "null", "7", #"{"personal": "/d"}"#, #"{"personal": {"path": "relative"}}"#,
            #"{"personal": {"path": "~other/d"}}"#, #"{"personal": {"path": "/a\u0000b"}}"#,
            String(repeating: "[", count: 30_000), String(repeating: #"{"a":"#, count: 30_000),
        ])
    func brokenInfoIsReportedWithItsPath(text: String) throws {
        let source = try home.write(text, to: ".dropbox/info.json")
        #expect(home.paths(of: .dropbox).isEmpty)
        let problems = home.problems(of: .dropbox)
        #expect(problems.map(\.path) == [source])
        #expect(problems.allSatisfy { $0.code == .malformed && !$0.remedy.isEmpty })
    }

    @Test func bytesThatAreNotTextAreReported() throws {
        try home.write([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x7D], to: ".dropbox/info.json")
        #expect(home.problems(of: .dropbox).first?.what.contains("not UTF-8") == true)
    }

    @Test func aHugeFileIsNotRead() throws {
        try home.write([UInt8](repeating: 0x20, count: PlaceSearch.largestSettings + 1), to: ".dropbox/info.json")
        #expect(home.problems(of: .dropbox).map(\.code) == [.tooLarge])
    }

    @Test func aFolderOrPipeInPlaceOfTheFileIsReported() throws {
        try home.makeFolder(".dropbox/info.json")
        #expect(home.problems(of: .dropbox).map(\.code) == [.isDirectory])
    }

    @Test func aSandboxedClientIsFound() throws {
        try home.write(
            #"{"personal": {"path": "~/Dropbox"}}"#, to: ".var/app/com.dropbox.Client/.dropbox/info.json")
        #expect(home.paths(of: .dropbox) == [home("Dropbox")])
        try home.write(#"{"work": {"path": "~/Dropbox"}}"#, to: "snap/dropbox/current/.dropbox/info.json")
        #expect(Set(home.paths(of: .dropbox)) == [home("Dropbox"), home("snap/dropbox/current/Dropbox")])
    }

    @Test func everyAccountOfMaestralIsFound() throws {
        try home.makeFolder("Dropbox (Maestral)")
        let text = """
            \u{FEFF}[main]
            version = 15.0.0

            [sync]
            # The path
            path = /old
            path = \(home.path)/Dropbox (Maestral)
            excluded_items = ['/a',
              path = /not/this]
            """
        try home.write(text, to: ".config/maestral/maestral.ini")
        try home.write("[main]\r\npath = /w = 1/Dropbox\r\n", to: ".config/maestral/work.ini")
        try home.write("[sync]\npath = None\n", to: ".config/maestral/new.ini")
        try home.write("[sync]\npath = /no\n", to: ".config/maestral/work.state")
        let folders = home.folders(of: .maestral)
        #expect(folders.map(\.account) == ["maestral", "work"])
        #expect(folders.map(\.path) == [home("Dropbox (Maestral)"), "/w = 1/Dropbox"])
        #expect(folders.map(\.state) == [.exists, .missing])
    }
}
