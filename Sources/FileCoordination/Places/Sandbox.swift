/// A program that Snap or Flatpak has locked into folders of its own.
struct Sandbox: Sendable {
    let homes: [UserDirectories.Place]
    let configs: [UserDirectories.Place]
    let states: [UserDirectories.Place]

    /// Every one that this user has. What cannot be listed has no settings that the user's programs could have written.
    static func all(of user: UserDirectories, in files: any FileSystem) -> [Sandbox] {
        let snaps = names(in: user.inHome("snap"), files).map { Sandbox(snap: user.inHome("snap/\($0)")) }
        let flatpaks = names(in: user.inHome(".var/app"), files).map {
            Sandbox(flatpak: user.inHome(".var/app/\($0)"), home: user.home)
        }
        return snaps + flatpaks
    }

    /// Snap gives a program a home for its present revision and a folder for all of them (`$SNAP_USER_DATA`,
    /// `$SNAP_USER_COMMON`).
    private init(snap path: String) {
        let current = "\(path)/current"
        let common = "\(path)/common"
        homes = [.init(path: current, home: current), .init(path: common, home: current)]
        configs = homes.map { .init(path: "\($0.path)/.config", home: current) }
        states =
            homes.map { .init(path: "\($0.path)/.local/state", home: current) } + [.init(path: common, home: current)]
    }

    /// Flatpak sets the XDG variables and keeps folders that a program asks to persist; the home stays the user's.
    private init(flatpak path: String, home: String) {
        homes = [.init(path: path, home: home)]
        configs = [.init(path: "\(path)/config", home: home)]
        states = [.init(path: "\(path)/.local/state", home: home)]
    }

    private static func names(in path: String, _ files: any FileSystem) -> [String] {
        do {
            return try files.list(path).compactMap(\.name).filter { !$0.hasPrefix(".") }.sorted().prefix(1000).map(
                \.self)
        } catch { return [] }
    }
}
