/// A service or program that keeps a folder the same on several machines, by the name people know it by.
///
/// The raw value is that name: it is shown, compared, and printed as it is. A service that is not among the constants is made
/// by its name.
public struct SyncService: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The service's own name, such as "Dropbox".
    public let rawValue: String
    /// The service of this name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The service's name.
    public var description: String { rawValue }
}

extension SyncService {
    /// Dropbox's own client.
    public static let dropbox = SyncService(rawValue: "Dropbox")
    /// Maestral, another client of Dropbox.
    public static let maestral = SyncService(rawValue: "Maestral")
    /// Syncthing.
    public static let syncthing = SyncService(rawValue: "Syncthing")
    /// The desktop client of Nextcloud.
    public static let nextcloud = SyncService(rawValue: "Nextcloud")
    /// The desktop client of ownCloud.
    public static let ownCloud = SyncService(rawValue: "ownCloud")
    /// OneDrive's own client, on macOS and Windows.
    public static let oneDrive = SyncService(rawValue: "OneDrive")
    /// The OneDrive client for Linux of abraunegg.
    public static let oneDriveAbraunegg = SyncService(rawValue: "OneDrive (abraunegg)")
    /// MEGAsync, the MEGA desktop app, and MEGAcmd.
    public static let mega = SyncService(rawValue: "MEGA")
    /// pCloud Drive.
    public static let pCloud = SyncService(rawValue: "pCloud")
    /// Insync, a client of Google Drive, OneDrive and Dropbox.
    public static let insync = SyncService(rawValue: "Insync")
    /// Google Drive by its own client, or mounted by google-drive-ocamlfuse.
    public static let googleDrive = SyncService(rawValue: "Google Drive")
    /// Seafile.
    public static let seafile = SyncService(rawValue: "Seafile")
    /// Resilio Sync, once BitTorrent Sync.
    public static let resilio = SyncService(rawValue: "Resilio Sync")
    /// Synology Drive Client.
    public static let synologyDrive = SyncService(rawValue: "Synology Drive")
    /// Infomaniak's kDrive.
    public static let kDrive = SyncService(rawValue: "kDrive")
    /// Proton Drive.
    public static let protonDrive = SyncService(rawValue: "Proton Drive")
    /// iCloud Drive.
    public static let iCloud = SyncService(rawValue: "iCloud Drive")
    /// Filen.
    public static let filen = SyncService(rawValue: "Filen")
    /// Box.
    public static let box = SyncService(rawValue: "Box")
    /// Unison.
    public static let unison = SyncService(rawValue: "Unison")
    /// rclone as a mount.
    public static let rclone = SyncService(rawValue: "rclone")
}
