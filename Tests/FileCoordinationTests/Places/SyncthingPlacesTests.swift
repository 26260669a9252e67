import TestSupport
import Testing

@testable import FileCoordination

@Suite("Folders of Syncthing")
struct SyncthingPlacesTests {
    private var home: PlacesHome

    init() throws { home = try PlacesHome() }

    private let settings = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- written by the program -->
        <configuration version="37">
            <folder id="default" label="Default Folder" path="~/Sync" type="sendreceive" rescanIntervalS="3600">
                <filesystemType>basic</filesystemType>
                <device id="AAAAAAA" introducedBy=""><encryptionPassword></encryptionPassword></device>
                <paused>false</paused>
                <markerName>.stfolder</markerName>
            </folder>
            <folder id="abcd-1234" label="" path="/srv/a&amp;b &#x65E5;&#228;" type="receiveonly"/>
            <folder id="p" label='"Quoted"' path="~/Paused/" type="sendreceive"><paused> true </paused></folder>
            <folder id="f" label="Test" path="/fake" type="sendreceive"><filesystemType>fake</filesystemType></folder>
            <folder id="o" label="Old" path="/old" type="readwrite"></folder>
            <device id="AAAAAAA"><paused>true</paused></device>
            <defaults><folder id="" label="" path="~" type="sendreceive"><paused>false</paused></folder></defaults>
        </configuration>

        """

    @Test func everyFolderIsFoundWithItsState() throws {
        try home.makeFolder("Sync")
        try home.makeFolder("Paused")
        let source = try home.write(settings, to: ".local/state/syncthing/config.xml")
        let folders = home.folders(of: .syncthing)
        #expect(folders.map(\.account) == ["Default Folder", "abcd-1234", "\"Quoted\"", "Old"])
        #expect(folders.map(\.path) == [home("Sync"), "/srv/a&b 日ä", home("Paused"), "/old"])
        #expect(folders.map(\.state) == [.exists, .missing, .paused, .missing])
        #expect(folders.allSatisfy { $0.source == source })
        #expect(home.findings().problems.isEmpty)
    }

    @Test func aFolderThatOnlyReceivesIsOneWay() throws {
        for type in ["receiveonly", "sendonly", "receiveencrypted", "readonly", "unheard of"] {
            try home.write(
                #"<configuration><folder path="~" type="\#(type)"/></configuration>"#,
                to: ".config/syncthing/config.xml")
            #expect(home.folders(of: .syncthing).map(\.state) == [.oneWay], "\(type)")
        }
    }

    @Test(
        arguments: [
            (variable: "STCONFDIR", value: "/C", place: "C"), ("STHOMEDIR", "/H", "H"), ("STHOMEDIR", "~/H", "H"),
            ("XDG_STATE_HOME", "/S", "S/syncthing"), ("XDG_CONFIG_HOME", "/X", "X/syncthing"),
            ("NONE", "", ".config/syncthing"), ("NONE", "", "snap/syncthing/common/syncthing"),
            ("NONE", "", ".var/app/me.kozec.syncthingtk/config/syncthing"),
            ("NONE", "", "Library/Application Support/Syncthing"),
        ])
    func itIsLookedForInEveryPlaceOfSettings(variable: String, value: String, place: String) throws {
        var home = home
        home.environment[variable] = value.hasPrefix("/") ? home.path + value : value
        let source = try home.write(
            #"<configuration><folder path="/s"/></configuration>"#, to: "\(place)/config.xml")
        #expect(home.folders(of: .syncthing).map(\.source) == [source])
        #expect(home.paths(of: .syncthing) == ["/s"])
    }

    @Test func relativePathsOfVariablesAreIgnored() throws {
        var home = home
        home.environment = ["XDG_CONFIG_HOME": "relative", "XDG_STATE_HOME": "", "STCONFDIR": "x"]
        try home.write(#"<configuration><folder path="/s"/></configuration>"#, to: ".config/syncthing/config.xml")
        #expect(home.paths(of: .syncthing) == ["/s"])
        #expect(home.findings().problems.isEmpty)
    }

    @Test func aTildeOfASnapIsItsOwnHome() throws {
        try home.write(
            #"<configuration><folder path="~/Sync"/></configuration>"#, to: "snap/syncthing/common/syncthing/config.xml"
        )
        #expect(home.paths(of: .syncthing) == [home("snap/syncthing/current/Sync")])
    }

    @Test func twoSpellingsOfALetterAreTwoFolders() throws {
        let paths = ["/caf\u{E9}", "/cafe\u{301}"]
        let folders = paths.map { "<folder path=\"\($0)\"/>" }.joined()
        try home.write("<configuration>\(folders)</configuration>", to: ".config/syncthing/config.xml")
        #expect(home.paths(of: .syncthing).map { Array($0.utf8) } == paths.map { Array($0.utf8) })
    }

    @Test func theSameFolderInTwoSettingsIsOne() throws {
        try home.write(#"<configuration><folder path="/s/"/></configuration>"#, to: ".config/syncthing/config.xml")
        try home.write(#"<configuration><folder path="/s"/></configuration>"#, to: ".local/state/syncthing/config.xml")
        #expect(home.paths(of: .syncthing) == ["/s"])
    }

    @Test(
        arguments: [
            "", " ", "no xml", "<configuration>", "<configuration></other>", "<a/><b/>", "<a b></a>", "<a b=c/>",
            "<a b=\"c/>", "<a>&nope;</a>", "<a>&amp</a>", "<a>&#xD800;</a>", "<", "</a>", "<a", "<!--", "<?xml",
            "<a/>text",
            "<!DOCTYPE a [<!ENTITY b \"bb\">]><a>&b;</a>",
            "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
            String(repeating: "<a>", count: 100_000),
        ])
    func whatIsNoXMLIsReportedWithItsLine(text: String) throws {
        try home.write("\n" + text, to: ".config/syncthing/config.xml")
        #expect(home.paths(of: .syncthing).isEmpty)
        let problems = home.problems(of: .syncthing)
        #expect(problems.map(\.code) == [.malformed])
        #expect(problems.first?.what.contains("line ") == true, "\(problems)")
    }

    @Test func moreFoldersThanAPersonHasAreCutAndReported() throws {
        let folders = (0..<1200).map { "<folder path=\"/s/\($0)\"/>" }.joined()
        try home.write("<configuration>\(folders)</configuration>", to: ".config/syncthing/config.xml")
        #expect(home.paths(of: .syncthing).count == PlaceSearch.mostFolders)
        #expect(home.problems(of: .syncthing).count == 1)
    }
}
