import Foundation

/// Carries files between the replicas of a shared folder, the way a sync service would: one by one, blindly, and sometimes
/// only in part.
struct Courier {
    /// The replicas: folders of different devices that are to become equal.
    let replicas: [String]

    /// Copies what one replica has and another lacks, or has only a part of.
    /// - Parameter isTorn: whether only the first half of each new file arrives for now.
    /// - Returns: the number of files that were copied.
    @discardableResult
    func carry(isTorn: Bool = false) throws -> Int {
        var copied = 0
        for source in replicas {
            for path in try Self.files(in: source) {
                let bytes = try Data(contentsOf: URL(fileURLWithPath: source + "/" + path))
                for target in replicas where target != source {
                    let place = URL(fileURLWithPath: target + "/" + path)
                    if try Self.size(of: place.path) >= bytes.count { continue }
                    try FileManager.default.createDirectory(
                        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try bytes.prefix(isTorn ? bytes.count / 2 : bytes.count).write(to: place)
                    copied += 1
                }
            }
        }
        return copied
    }

    private static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// -1 if there is no such file.
    private static func size(of path: String) throws -> Int {
        if !FileManager.default.fileExists(atPath: path) { return -1 }
        return (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }
}
