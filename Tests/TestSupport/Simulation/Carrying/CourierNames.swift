/// The names that sync services give to the losing copy of a conflict.
public enum CourierNames {
    /// How many services there are.
    public static let count = 12

    /// "lane/e-1-1-x.llvs" as a service renames it.
    public static func conflict(_ file: String, service: Int) -> String {
        let slash = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
        let directory = String(file[..<slash])
        let name = file[slash...]
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let stem = String(name[..<dot])
        let suffix = String(name[dot...])
        let renamed =
            switch service % count {
            case 0: "\(stem) (Ann's conflicted copy 2026-05-01)\(suffix)"
            case 1: "\(stem).sync-conflict-20260501-101112-ABCDEFG\(suffix)"
            case 2: "\(stem) (conflicted copy 2026-05-01 101112)\(suffix)"
            case 3: "\(stem)-LAPTOP\(suffix)"
            case 4: "\(stem) 2\(suffix)"
            case 5: "\(stem) (1)\(suffix)"
            case 6: "Copy of \(name)"
            case 7: "\(stem)_conflict-20260501-101112\(suffix)"
            case 8: "\(stem) (SFConflict ann@example.com 2026-05-01-10-11-12)\(suffix)"
            case 9: "\(stem) [Conflict]\(suffix)"
            case 10: "\(stem)-onedrive-client-safeBackup-0001\(suffix)"
            default: "\(stem) (In Konflikt stehende Kopie von PC 2026-05-01)\(suffix)"
            }
        return directory + renamed
    }

    /// What systems and services leave lying about.
    public static let junk = [
        ".DS_Store", "desktop.ini", "Thumbs.db", "Icon\r", ".directory", ".dropbox", "._x.llvs",
        ".syncthing.x.llvs.tmp",
        "notes.txt", ".owncloudsync.log",
    ]
}
