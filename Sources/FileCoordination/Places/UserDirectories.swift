import Foundation

/// Where the programs of a user keep their settings: the XDG Base Directory Specification, and its like in the sandboxes of
/// Snap and Flatpak.
struct UserDirectories: Sendable {
    /// A folder of settings, and what `~` means in those settings.
    struct Place: Hashable, Sendable {
        let path: String
        let home: String
    }

    let home: String
    private let environment: [String: String]

    init(home: String?, environment: [String: String]) {
        self.home = Self.absolute(home) ?? Self.absolute(environment["HOME"]) ?? Self.absolute(NSHomeDirectory()) ?? "/"
        self.environment = environment
    }

    /// The specification says that a relative path is to be ignored.
    private static func absolute(_ path: String?) -> String? {
        guard let path, path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
        return FolderPath.normal(path)
    }

    func inHome(_ name: String) -> String { FilePlace.join(home, name) }

    /// Folders of this variable and its default: a service may have been started with or without it.
    private func folders(_ variable: String, default name: String) -> [String] {
        var folders = [inHome(name)]
        if let set = Self.absolute(environment[variable]), set != folders[0] { folders.insert(set, at: 0) }
        return folders
    }

    /// `$XDG_CONFIG_HOME` and `~/.config`.
    var configFolders: [String] { folders("XDG_CONFIG_HOME", default: ".config") }
    /// `$XDG_STATE_HOME` and `~/.local/state`.
    var stateFolders: [String] { folders("XDG_STATE_HOME", default: ".local/state") }
    /// `$XDG_DATA_HOME` and `~/.local/share`.
    var dataFolders: [String] { folders("XDG_DATA_HOME", default: ".local/share") }
    /// `~/Library/Application Support` on Apple platforms, else the first of the data folders.
    var localData: String {
        #if canImport(Darwin)
            inHome("Library/Application Support")
        #else
            dataFolders[0]
        #endif
    }
}

/// Paths as other programs write them.
enum FolderPath {
    /// Without empty and `.` parts and without a slash at the end. `..` stays: it means what it means to the system.
    static func normal(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// With `~` for the home; nil if it is empty, relative, or another user's (`~other`).
    static func absolute(_ path: String, home: String) -> String? {
        if path == "~" { return home }
        if path.hasPrefix("~/") { return normal(home + path.dropFirst()) }
        return path.hasPrefix("/") ? normal(path) : nil
    }

    /// The path without its last part.
    static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of the path.
    static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }
}
