import Testing

@testable import FileCoordination

@Suite("Folders of other services")
struct OtherPlacesTests {
    private let home: PlacesHome

    init() throws { home = try PlacesHome() }

    @Test func oneDriveFoldersOfSeveralAccountsAreFound() throws {
        try home.makeFolder("OneDrive Büro")
        try home.write(
            "# sync_dir = \"~/Not\"\nsync_dir = \"~/OneDrive Büro\"\nskip_file = \"~*|.~*\"\n",
            to: ".config/onedrive/config")
        try home.write("sync_dir=\"/srv/sp\"\r\ndownload_only = \"true\"\r\n", to: ".config/my-sharepoint/config")
        try home.write("token", to: ".config/my-sharepoint/refresh_token")
        try home.write("sync_dir = \"/gui\"", to: ".config/onedrive/accounts/me@example.com/config")
        try home.write("sync_dir = \"/else\"", to: ".config/other-program/config")
        let folders = home.folders(of: .oneDriveAbraunegg)
        #expect(folders.map(\.path).sorted() == [home("OneDrive Büro"), "/gui", "/srv/sp"].sorted())
        #expect(Set(folders.map(\.account)) == [nil, "my-sharepoint", "me@example.com"])
        #expect(folders.first { $0.account == nil }?.state == .exists)
    }

    @Test func oneDriveWithoutSettingsUsesItsDefaultOrThatOfAllUsers() throws {
        try home.write("token", to: ".config/onedrive/refresh_token")
        #expect(home.paths(of: .oneDriveAbraunegg) == [home("OneDrive")])
        let common = try home.writeSystem("sync_dir = \"/srv/one\"", to: "etc/onedrive/config")
        #expect(home.folders(of: .oneDriveAbraunegg).map(\.source) == [common])
        try home.write("skip_dir = \"x\"", to: ".config/onedrive/config")
        #expect(home.paths(of: .oneDriveAbraunegg) == [home("OneDrive")])
    }

    @Test func aOneWayOneDriveIsOneWay() throws {
        try home.makeFolder("O")
        try home.write("sync_dir = \"~/O\"\nupload_only = \"true\"", to: ".config/onedrive/config")
        #expect(home.folders(of: .oneDriveAbraunegg).map(\.state) == [.oneWay])
    }

    private let mounts = """
        22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
        41 22 0:40 / HOME/G\\040Drive\\134x rw,nosuid shared:9 master:2 - fuse.google-drive-ocamlfuse gdfuse#work rw,user_id=0
        42 22 0:41 / HOME/remote ro,nosuid - fuse.rclone nas:documents ro,user_id=0
        43 22 0:42 / HOME/pCloudDrive rw,nosuid - fuse pCloud.fs rw,user_id=0
        44 22 0:43 / HOME/hidden rw - fuse.rclone a: rw
        45 22 0:44 / HOME/hidden rw - tmpfs tmpfs rw
        46 22 0:45 / broken
        47 22 0:46 / /mnt/x rw - fuse.rclone

        """

    @Test func mountsAreFoundInTheMountTable() throws {
        for name in ["G Drive\\x", "remote", "pCloudDrive", "hidden"] { try home.makeFolder(name) }
        try home.writeSystem(mounts.replacing("HOME", with: home.path), to: "mountinfo")
        let drive = home.folders(of: .googleDrive)
        #expect(drive.map(\.path) == [home("G Drive\\x")])
        #expect(drive.map(\.account) == ["work"])
        #expect(drive.map(\.basis) == [.mounted])
        let rclone = home.folders(of: .rclone)
        #expect(rclone.map(\.path) == [home("remote")])
        #expect(rclone.map(\.account) == ["nas:documents"])
        #expect(rclone.map(\.state) == [.oneWay])
        #expect(home.folders(of: .pCloud).map(\.state) == [.exists])
        #expect(home.folders(of: .pCloud).map(\.source) == [home.mountTable])
    }

    @Test func mountPointsThatDifferInNormalizationOnlyDoNotHideEachOther() throws {
        let paths = ["/caf\u{E9}", "/cafe\u{301}"]
        let lines = paths.map { "40 22 0:39 / \($0) rw - fuse.rclone a: rw\n" }.joined()
        #expect(MountTable.parse(Array(lines.utf8)).map { Array($0.path.utf8) } == paths.map { Array($0.utf8) })
    }

    @Test func aMountPointWithNothingMountedIsNotUsable() throws {
        try home.makeFolder("pCloudDrive")
        try home.write("SQLite format 3", to: ".pcloud/data.db")
        #expect(home.folders(of: .pCloud).map(\.state) == [.notMounted])
        #expect(home.folders(of: .pCloud).map(\.isUsable) == [false])
    }

    @Test func seafileLibrariesAreAssumedBesideItsData() throws {
        for name in ["Seafile/seafile-data", "Seafile/My Library", "Seafile/Ünï"] { try home.makeFolder(name) }
        try home.write("a file", to: "Seafile/note.txt")
        let source = try home.write("\(home.path)/Seafile/seafile-data\r\n", to: ".ccnet/seafile.ini")
        let folders = home.folders(of: .seafile)
        #expect(folders.map(\.path) == [home("Seafile/My Library"), home("Seafile/Ünï")])
        #expect(folders.allSatisfy { $0.basis == .assumed && $0.source == source })
        var other = home
        other.environment["SEAFILE_DATA_DIR"] = "/nowhere/seafile-data"
        #expect(other.paths(of: .seafile).isEmpty)
        #expect(other.problems(of: .seafile).map(\.code) == [.opaque])
        try home.write("", to: ".ccnet/seafile.ini")
        #expect(home.problems(of: .seafile).map(\.code) == [.malformed])
    }

    @Test func resilioSettingsMayHaveComments() throws {
        try home.makeFolder("Share /* one")
        try home.makeFolder("Read")
        try home.write(
            """
            {
              "device_name": "My \\"Sync\\" Device", // "shared_folders": []
              /* storage_path dir contains
                 auxiliary files */
              "storage_path" : "~/.sync",
              "shared_folders" : [
                { "secret" : "AXXXX", "dir" : "~/Share /* one", "known_hosts" : ["1.2.3.4:5", ], },
                { "secret" : "BXXXX", "dir" : "~/Read" },
                { "secret" : "AXXXX" },
                { "secret" : "AXXXX", "dir" : "relative" },
              ],
            }
            """, to: ".config/resilio-sync/config.json")
        let folders = home.folders(of: .resilio)
        #expect(folders.map(\.path) == [home("Share /* one"), home("Read")])
        #expect(folders.map(\.state) == [.exists, .oneWay])
        #expect(home.problems(of: .resilio).count == 2)
        try home.writeSystem(#"{"shared_folders": [{"dir": "/srv/all"}]}"#, to: "etc/resilio-sync/user_config.json")
        #expect(home.paths(of: .resilio).contains("/srv/all"))
    }

    @Test func filenPairsAreFoundWithTheirDirection() throws {
        try home.makeFolder("F")
        try home.makeFolder("B")
        try home.write(
            """
            [{"local": "~/F", "remote": "/", "syncMode": "twoWay", "alias": "main"},
             {"local": "~/B", "remote": "/b", "syncMode": "localBackup"}, {"remote": "/c"}]
            """, to: ".config/filen-cli/syncPairs.json")
        #expect(home.folders(of: .filen).map(\.state) == [.exists, .oneWay])
        #expect(home.folders(of: .filen).map(\.account) == ["main", "/b"])
        #expect(home.problems(of: .filen).count == 1)
    }

    @Test func unisonRootsOnThisMachineAreFound() throws {
        try home.write(
            "# work\nroot = /home/a/docs\nroot = ssh://host//srv/docs\nroot = docs\nignore = Name *.tmp\n",
            to: ".unison/work.prf")
        #expect(home.paths(of: .unison) == ["/home/a/docs"])
        #expect(home.folders(of: .unison).map(\.account) == ["work"])
        #expect(home.problems(of: .unison).count == 1)
    }

    @Test(
        arguments: [
            (SyncService.mega, ".local/share/data/Mega Limited/MEGAsync/MEGAsync.cfg", "MEGA"),
            (.mega, ".megaCmd/session", "MEGA"), (.synologyDrive, ".SynologyDrive/data/db/sys.sqlite", "SynologyDrive"),
            (.kDrive, ".config/kDrive/.parms.db", "kDrive"), (.filen, ".config/@filen/desktop/x", "Filen"),
            (.insync, ".config/Insync/settings.db", "Insync/me@example.com/Google Drive"),
            (.resilio, ".config/resilio-sync/sync.dat", "Resilio Sync"),
        ])
    func clientsWhoseSettingsCannotBeReadAreAssumedOrReported(
        service: SyncService, settings: String, folder: String
    ) throws {
        try home.makeFolder(folder)
        #expect(home.folders(of: service).isEmpty, "a folder of that name alone says nothing")
        try home.write([0, 255, 1], to: settings)
        #expect(home.paths(of: service) == [home(folder)])
        #expect(home.folders(of: service).map(\.basis) == [.assumed])
        let other = try PlacesHome()
        try other.write([0, 255, 1], to: settings)
        #expect(other.folders(of: service).isEmpty)
        #expect(other.problems(of: service).map(\.code) == [.opaque])
    }

    @Test func appleFoldersAreFoundByTheirNames() throws {
        try home.makeFolder("Library/Mobile Documents/com~apple~CloudDocs")
        for name in ["Dropbox", "OneDrive-Personal", "GoogleDrive-me@example.com/My Drive", "Box-Box", "Boxer"] {
            try home.makeFolder("Library/CloudStorage/\(name)")
        }
        #expect(home.paths(of: .iCloud) == [home("Library/Mobile Documents/com~apple~CloudDocs")])
        #expect(home.paths(of: .dropbox) == [home("Library/CloudStorage/Dropbox")])
        #expect(home.folders(of: .oneDrive).map(\.account) == ["Personal"])
        #expect(home.paths(of: .googleDrive) == [home("Library/CloudStorage/GoogleDrive-me@example.com/My Drive")])
        #expect(home.paths(of: .box) == [home("Library/CloudStorage/Box-Box")])
    }
}
