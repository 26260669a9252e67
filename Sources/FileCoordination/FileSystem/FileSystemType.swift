/// What kind of file system something is on: the number that `statfs(2)` calls `f_type`, listed in its manual page and in
/// `linux/magic.h`.
public struct FileSystemType: RawRepresentable, Hashable, Sendable {
    /// The number; 0 if it is not known.
    public let rawValue: UInt32

    /// The type of this number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The system does not say.
    public static let unknown = FileSystemType(rawValue: 0)
    /// A program serves it: sshfs, rclone mount, virtual machines' shared folders, and local ones like ntfs-3g.
    public static let fuse = FileSystemType(rawValue: 0x6573_5546)
    /// Network File System.
    public static let nfs = FileSystemType(rawValue: 0x6969)
    /// A Windows or Samba share.
    public static let smb = FileSystemType(rawValue: 0xFE53_4D42)

    /// Whether others can change it without the kernel of this machine noticing, so that no event tells of it.
    public var hidesChanges: Bool { Self.remote[rawValue] != nil }

    /// What people call it; its number in hexadecimal if it is not one of those that hide changes.
    public var name: String { Self.remote[rawValue] ?? "0x" + String(rawValue, radix: 16) }

    private static let remote: [UInt32: String] = [
        0x6573_5546: "FUSE", 0x6969: "NFS", 0xFE53_4D42: "SMB", 0xFF53_4D42: "SMB", 0x517B: "SMB", 0x0102_1997: "9P",
        0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x00C3_6400: "Ceph", 0x564C: "NCP", 0x7375_7245: "Coda",
        0x786F_4256: "VirtualBox shared folder", 0x7C7C_6673: "Parallels shared folder",
        0xBACB_ACBC: "VMware shared folder", 0x0BD0_0BD0: "Lustre", 0x4750_4653: "GPFS", 0x2003_0528: "OrangeFS",
        0x0116_1970: "GFS2", 0x7461_636F: "OCFS2",
    ]
}
