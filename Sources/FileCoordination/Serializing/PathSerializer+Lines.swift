import Foundation

extension PathSerializer {
    /// The one spelling by which a path is compared.
    ///
    /// Relative paths start at the working directory; empty parts and `.` go; links are followed as far as there is
    /// something, and the rest, which may not exist yet, is taken as it is written. Where a folder takes several spellings
    /// of a name for one file (``NameFolding``), they become one: for a name that is there the file system is asked by
    /// looking at another spelling; for one that is not, it counts what the file system says of the folder, or what the
    /// nearest folder above on the same device showed. Names of one file by hard links differ: a write parts them.
    ///
    /// Blocks on the disk: up to three calls a part.
    public static func line(of path: String, in files: any FileSystem = .local) -> String {
        let start = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        var walk = LineWalk(files: files, rest: parts(of: start).reversed())
        while let part = walk.rest.popLast() {
            if part == ".." {
                walk.goUp()
            } else if !walk.exists {
                walk.done.append(walk.tail.spelling(of: part))
            } else {
                walk.visit(part)
            }
        }
        return "/" + walk.done.joined(separator: "/")
    }

    fileprivate static func parts(of path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map(String.init)
    }
}

/// A path on the way to its one spelling.
private struct LineWalk {
    let files: any FileSystem
    /// What is still to be visited, the next part last.
    var rest: [String]
    /// The parts visited, in their one spelling.
    var done: [String] = []
    /// The parts visited, as the file system knows them.
    private var real: [String] = []
    private var links = 0
    private(set) var exists = true
    /// How names are compared behind the last part that exists.
    private(set) var tail: NameFolding = []
    private var shown: (device: UInt64, folding: NameFolding)?

    init(files: any FileSystem, rest: [String]) {
        self.files = files
        self.rest = rest
    }

    mutating func goUp() {
        _ = done.popLast()
        if real.count > done.count { real.removeLast() }
        // Back where something is.
        if real.count == done.count { exists = true }
    }

    mutating func visit(_ part: String) {
        let folder = "/" + real.joined(separator: "/")
        let here = FilePlace.join(folder, part)
        do {
            let found = try files.attributes(at: here, followLinks: false)
            if found.kind == .link, links < 40 {
                try follow(files.readLink(here))
            } else {
                enter(part, found, folder)
            }
        } catch {
            // Not there, or not to be looked at: from here on the spelling is all there is.
            exists = false
            tail = files.nameFolding(inFolder: folder)
            if let shown, isOn(shown.device, folder) { tail.formUnion(shown.folding) }
            done.append(tail.spelling(of: part))
        }
    }

    private mutating func follow(_ target: String) {
        links += 1
        if target.hasPrefix("/") {
            done.removeAll()
            real.removeAll()
        }
        rest += PathSerializer.parts(of: target).reversed()
    }

    private mutating func enter(_ part: String, _ found: FileAttributes, _ folder: String) {
        let folding = files.nameFolding(shownBy: part, in: folder, found)
        if folding.isEmpty { shown = nil } else { shown = (found.device, folding) }
        done.append(folding.spelling(of: part))
        real.append(part)
    }

    private func isOn(_ device: UInt64, _ folder: String) -> Bool {
        do { return try files.attributes(at: folder, followLinks: true).device == device } catch { return false }
    }
}
