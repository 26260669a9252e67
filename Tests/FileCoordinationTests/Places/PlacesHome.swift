import Foundation
import TestSupport

@testable import FileCoordination

/// A user's home with the settings of services in it, and a mount table and settings for all users beside it.
struct PlacesHome {
    private let folder: TemporaryFolder
    var environment: [String: String] = [:]

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("home")
        try folder.makeFolder("etc")
    }

    var path: String { folder("home") }
    var mountTable: String { folder("mountinfo") }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes settings below the home, with the folders above them.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try write(bytes, at: self(name))
    }

    @discardableResult
    func writeSystem(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), at: folder(name)) }

    private func write(_ bytes: [UInt8], at path: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: FolderPath.parent(of: path), withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @discardableResult
    func makeFolder(_ name: String) throws -> String { try folder.makeFolder("home/\(name)") }

    func resolver(files: any FileSystem = .local) -> SharedFolderResolver {
        SharedFolderResolver(
            home: path, environment: environment, files: files,
            system: SystemPlaces(mountTable: mountTable, settings: folder("etc")))
    }

    func findings(files: any FileSystem = .local) -> SharedFolderResolver.Findings {
        resolver(files: files).candidates()
    }

    func folders(of service: SyncService) -> [SyncFolder] { findings().folders.filter { $0.service == service } }
    func paths(of service: SyncService) -> [String] { folders(of: service).map(\.path) }
    func problems(of service: SyncService) -> [FileCoordinationError] {
        findings().problems.filter { $0.service == service }.map(\.error)
    }
}
