/// How the folders of one service are found. A service is added by a file in `Services` and a line here.
struct PlaceFinder: Sendable {
    let service: SyncService
    let find: @Sendable (inout PlaceSearch) -> Void

    /// In the order of preference; see ``SyncService/findable``.
    static let all: [PlaceFinder] = [
        iCloud, dropbox, maestral, oneDrive, oneDriveAbraunegg, nextcloud, ownCloud, googleDrive, insync, protonDrive,
        box, kDrive, mega, synologyDrive, syncthing, resilio, seafile, filen, pCloud, rclone, unison,
    ]
}
