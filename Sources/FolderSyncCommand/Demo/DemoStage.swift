import Foundation

/// The folder that the demo is played in.
struct DemoStage {
    let path: String
    private let isKept: Bool

    /// - Parameter kept: a folder that stays; nil for a temporary one, private to the user.
    init(keeping kept: String?) throws {
        isKept = kept != nil
        if let kept {
            path = RealPath(kept).text
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            guard try FileManager.default.contentsOfDirectory(atPath: path).isEmpty else {
                throw CommandError("the folder '\(kept)' is not empty", remedy: "choose a new or empty one")
            }
            return
        }
        var template = Array((NSTemporaryDirectory() + "/foldersync-demo-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else {
            throw CommandError(
                "cannot make a temporary folder: \(String(cString: strerror(errno)))",
                remedy: "free some space, or choose a folder with --dir")
        }
        path = RealPath(String(cString: made)).text
    }

    func folder(_ name: String) throws -> String {
        let folder = path + "/" + name
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Removes a temporary folder.
    func clear() {
        if isKept { return }
        do { try FileManager.default.removeItem(atPath: path) } catch {
            Program.say("the temporary folder '\(path)' could not be removed: \(error)")
        }
    }
}
