public import FileCoordination
import Foundation

/// The files of one replica of a shared folder, as the courier and the checks handle them.
public struct SimulatedFolderTree: Sendable {
    /// The folder.
    public let path: String
    /// The disk it is on.
    public let files: any FileSystem
    private let memory: MemoryFileSystem?

    /// The tree below a folder.
    public init(_ path: String, on files: any FileSystem = .local) {
        self.path = path
        self.files = files
        memory = files as? MemoryFileSystem
    }

    /// The whole path of a file.
    public func url(_ file: String) -> String { path + "/" + file }

    /// Every file, two levels deep, ascending; files that are still being written are left out.
    public func list() throws -> [String] {
        var found: [String] = []
        for entry in try files.list(path) {
            guard let name = entry.name, !name.hasPrefix("~syncthing~") else { continue }
            if entry.kind == .directory {
                for inner in try files.list(url(name)) {
                    guard let file = inner.name, !file.hasPrefix("~syncthing~") else { continue }
                    found.append("\(name)/\(file)")
                }
            } else {
                found.append(name)
            }
        }
        return found.sorted()
    }

    /// The names of the directories, ascending.
    public func directories() throws -> [String] {
        try files.list(path).filter { $0.kind == .directory }.compactMap(\.name).sorted()
    }

    /// The bytes of a file; nil if there is none.
    public func read(_ file: String) throws -> [UInt8]? {
        if let memory { return memory.bytes(at: url(file)) }
        do {
            return try files.readFile(at: url(file))
        } catch {
            if error.code == .noSuchFile { return nil }
            throw error
        }
    }

    /// Writes a file, in place, as a careless sync service does.
    public func write(_ bytes: [UInt8], to file: String) throws {
        let parts = file.split(separator: "/")
        if parts.count == 2 {
            do {
                try files.makeDirectory(url(String(parts[0])), permissions: .directory)
            } catch {
                if error != .fileExists { throw error }
            }
        }
        if let memory { return try memory.setBytes(bytes, at: url(file)) }
        try Data(bytes).write(to: URL(fileURLWithPath: url(file)))
    }

    /// Removes a file; an absent one is no matter.
    public func remove(_ file: String) throws {
        do {
            try files.removeFile(url(file))
        } catch {
            if error != .noSuchFile { throw error }
        }
    }

    /// How every file looks, so that a later look shows whether anything was written. Nil for files that go meanwhile.
    public func looks() throws -> [String: [Int64]] {
        var looks: [String: [Int64]] = [:]
        for name in try everyName() {
            let found = try files.attributes(at: url(name), followLinks: false)
            looks[name] = [found.size, found.modified, found.changed, Int64(bitPattern: found.inode)]
        }
        return looks
    }

    /// Every name, temporary ones and directories too.
    public func everyName() throws -> [String] {
        var names: [String] = []
        for entry in try files.list(path) {
            guard let name = entry.name else { continue }
            names.append(name)
            if entry.kind == .directory {
                names += try files.list(url(name)).compactMap(\.name).map { "\(name)/\($0)" }
            }
        }
        return names.sorted()
    }

    /// Every file with its bytes.
    public func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for file in try list() { contents[file] = try read(file) }
        return contents
    }

    /// Makes the tree hold just these files.
    public func replace(with contents: [String: [UInt8]]) throws {
        for file in try list() where contents[file] == nil { try remove(file) }
        for (file, bytes) in contents where !bytes.isSame(as: try read(file)) { try write(bytes, to: file) }
    }

    /// Makes the folder, with the files of another.
    public func make(copying other: SimulatedFolderTree? = nil) throws {
        try files.makeDirectory(path, permissions: .directory)
        if let other { try replace(with: try other.contents()) }
    }

    /// Whether there is such a folder.
    public func isThere() throws -> Bool {
        do {
            return try files.attributes(at: path, followLinks: true).kind == .directory
        } catch {
            if error == .noSuchFile { return false }
            throw error
        }
    }

    /// Takes the folder away and leaves an empty directory, or nothing, in its place, as unmounting does.
    public func unmount(leavingDirectory: Bool) throws {
        try files.rename(path, to: path + ".away")
        if leavingDirectory { try files.makeDirectory(path, permissions: .directory) }
    }

    /// Puts the folder back that was taken away.
    public func mount() throws {
        do {
            try files.removeDirectory(path)
        } catch {
            if error != .noSuchFile { throw error }
        }
        try files.rename(path + ".away", to: path)
    }

    /// The size of a file; nil if there is none.
    public func size(_ file: String) throws -> Int? {
        do {
            return Int(try files.attributes(at: url(file), followLinks: false).size)
        } catch {
            if error == .noSuchFile { return nil }
            throw error
        }
    }

    /// Sets when a file was changed, in seconds since 1970.
    public func touch(_ file: String, at seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: url(file))
    }
}

extension SimulatedFolderTree {
    /// Runs `body` with an empty directory, in memory where there is such a place, which is removed afterwards.
    public static func withDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let manager = FileManager.default
        let memory = "/dev/shm"
        let parent =
            manager.isWritableFile(atPath: memory)
            ? memory : manager.temporaryDirectory.resolvingSymlinksInPath().path(percentEncoded: false)
        let path = URL(fileURLWithPath: parent).appendingPathComponent("simulated-\(UUID().uuidString)").path
        try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
        defer {
            do {
                try manager.removeItem(atPath: path)
            } catch {
                print("A test's directory stays behind: \(error)")
            }
        }
        return try await body(path)
    }
}
