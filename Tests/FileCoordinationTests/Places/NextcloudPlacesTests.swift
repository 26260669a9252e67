import Testing

@testable import FileCoordination

@Suite("Folders of Nextcloud and ownCloud")
struct NextcloudPlacesTests {
    private let home: PlacesHome

    init() throws { home = try PlacesHome() }

    @Test func everyFolderOfEveryAccountIsFound() throws {
        try home.makeFolder("Nextcloud")
        try home.makeFolder("Wölke")
        let source = try home.write(
            #"""
            [General]
            clientVersion=3.16.2 (build 29335)
            0\Folders\1\localPath=/not/this

            [Accounts]
            0\Folders\1\ignoreHiddenFiles=false
            0\Folders\1\journalPath=.sync_57238d42a71e.db
            0\Folders\1\localPath=HOME/Nextcloud/
            0\Folders\1\paused=false
            0\Folders\1\targetPath=/
            0\FoldersWithPlaceholders\2\localPath=HOME/W\xf6lke/
            0\FoldersWithPlaceholders\2\paused=true
            0\dav_user=alice
            0\url=https://cloud.example.com/nc
            1\Multifolders\3\localPath="/srv/a, b; \"c\" \x65e5\xd83d\xde00/"
            1\url=https://other.example.org
            1\user=bob
            version=2
            """#.replacing("HOME", with: home.path), to: ".config/Nextcloud/nextcloud.cfg")
        let folders = home.folders(of: .nextcloud)
        #expect(folders.map(\.path) == [home("Nextcloud"), home("Wölke"), "/srv/a, b; \"c\" 日😀"])
        #expect(folders.map(\.state) == [.exists, .paused, .missing])
        #expect(
            folders.map(\.account) == ["alice@cloud.example.com", "alice@cloud.example.com", "bob@other.example.org"])
        #expect(folders.allSatisfy { $0.source == source })
        #expect(home.findings().problems.isEmpty)
    }

    @Test func ownCloudNamesFoldersByUUID() throws {
        try home.write(
            #"""
            [Accounts]
            0\Folders\1080ffb8-a2d3-41bf-842f-b02ef671df59\davUrl=https://h/dav/spaces/0$0
            0\Folders\1080ffb8-a2d3-41bf-842f-b02ef671df59\localPath=/home/isha/ownCloud (6)/Personal/
            0\Folders\1080ffb8-a2d3-41bf-842f-b02ef671df59\paused=false
            """#, to: ".config/ownCloud/owncloud.cfg")
        #expect(home.paths(of: .ownCloud) == ["/home/isha/ownCloud (6)/Personal"])
        #expect(home.folders(of: .ownCloud).first?.account == nil)
        #expect(home.paths(of: .nextcloud).isEmpty)
    }

    @Test(
        arguments: [
            ".local/share/data/Nextcloud/nextcloud.cfg", "Library/Preferences/Nextcloud/nextcloud.cfg",
            "snap/nextcloud-desktop-client/current/.config/Nextcloud/nextcloud.cfg",
            ".var/app/com.nextcloud.desktopclient.nextcloud/config/Nextcloud/nextcloud.cfg",
        ])
    func olderAndSandboxedPlacesAreLookedIn(place: String) throws {
        try home.write("[Accounts]\r\n0\\Folders\\1\\localPath=/n\r\n", to: place)
        #expect(home.paths(of: .nextcloud) == ["/n"])
    }

    @Test(
        arguments: [
            (#"/plain"#, "/plain"), (#""/a,b""#, "/a,b"), (#"\x41\x2f\x42g"#, "A/Bg"), (#"a\\b"#, #"a\b"#),
            (#"\x"#, "\0"),
            (#"\"#, ""), (#""open"#, "open"), (#"@@at"#, "@at"), (#"@ByteArray(b\xe9)"#, "bé"), (#"\101\n"#, "A\n"),
            (#"\xd83d"#, "\u{FFFD}"), (#"\xfffff"#, "\u{FFFF}"), (#"日"#, "日"), ("", ""),
        ])
    func valuesAreReadAsQtWritesThem(written: String, meant: String) {
        #expect(QtSettingsValue.decode(written) == meant)
    }

    @Test(arguments: [
        "0\\Folders\\1\\localPath=rel/ative", "0\\Folders\\1\\localPath=\\x", "0\\Folders\\1\\localPath=C:/x",
    ])
    func aPathThatIsNotOneIsReported(line: String) throws {
        try home.write("[Accounts]\n\(line)\n", to: ".config/Nextcloud/nextcloud.cfg")
        #expect(home.paths(of: .nextcloud).isEmpty)
        #expect(home.problems(of: .nextcloud).map(\.code) == [.malformed])
    }

    @Test(arguments: ["", "[Accounts", "=", "[Accounts]\n\\\\\\\n0\\Folders\\1\n0\\Folders\\1\\localPath", "[]\n[]=[]"])
    func textWithoutFoldersIsNone(text: String) throws {
        try home.write(text, to: ".config/Nextcloud/nextcloud.cfg")
        #expect(home.findings() == SharedFolderResolver.Findings())
    }
}
