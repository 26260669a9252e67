import Foundation

extension PathSerializer {
    /// The one spelling by which a path is compared.
    ///
    /// Relative paths start at the working directory; empty parts and `.` go; links are followed as far as there is
    /// something, and the rest, which may not exist yet, is taken as it is written. Upper and lower case differ.
    public static func line(of path: String, in files: any FileSystem = .local) -> String {
        let start = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        var rest = Array(parts(of: start).reversed())
        var done: [Substring] = []
        var links = 0
        var exists = true
        while let part = rest.popLast() {
            if part == ".." {
                _ = done.popLast()
                continue
            }
            done.append(part)
            guard exists else { continue }
            let here = "/" + done.joined(separator: "/")
            do {
                guard try files.attributes(at: here, followLinks: false).kind == .link, links < 40 else { continue }
                links += 1
                let target = try files.readLink(here)
                if target.hasPrefix("/") { done.removeAll() } else { done.removeLast() }
                rest += parts(of: target).reversed()
            } catch {
                // Not there, or not to be looked at: from here on the spelling is all there is.
                exists = false
            }
        }
        return "/" + done.joined(separator: "/")
    }

    private static func parts(of path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }
    }
}
