import Foundation
import TestSupport
import Testing

/// Devices that mirror a directory each, through a folder of their own that something carries to the others', or through one
/// that all of them see.
struct CarriedMirrors {
    let directory: LiveDirectory

    init(_ names: String..., in directory: LiveDirectory) throws {
        self.directory = directory
        for name in names {
            for folder in [name, Self.folder(name)] {
                try FileManager.default.createDirectory(
                    atPath: directory.path(folder), withIntermediateDirectories: true)
            }
        }
    }

    /// The folder through which the device goes.
    static func folder(_ name: String) -> String { "through-\(name)" }

    func words(_ name: String, through folder: String? = nil) -> [String] {
        [
            "mirror", directory.path(name), "--through", folder ?? directory.path(Self.folder(name)), "--store",
            store(name),
        ]
    }

    func store(_ name: String) -> String { directory.path("store-\(name)") }

    /// One `foldersync mirror --once`.
    @discardableResult
    func run(_ name: String, _ more: String..., through folder: String? = nil) throws -> FoldersyncProcess.Result {
        try FoldersyncProcess.start(words(name, through: folder) + ["--once"] + more).wait()
    }

    /// One that leaves nothing to be done.
    func settle(
        _ name: String, _ more: String..., through folder: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let result = try FoldersyncProcess.start(words(name, through: folder) + ["--once"] + more).wait()
        #expect(result.status == 0, "\(name): \(result.output)\(result.errors)", sourceLocation: location)
    }

    /// Two at a time.
    func settleTogether(_ first: String, _ second: String, at location: SourceLocation = #_sourceLocation) throws {
        for running in try [first, second].map({ try FoldersyncProcess.start(words($0) + ["--once"]) }) {
            let result = running.wait()
            #expect(result.status == 0, "\(result.output)\(result.errors)", sourceLocation: location)
        }
    }

    func write(_ text: String, to path: String) throws { try directory.write(text, to: path) }

    func text(_ path: String) -> String? { directory.text(path) }

    /// Every file below a directory, with its bytes; no control files of services.
    func files(_ path: String) -> [String: Data] {
        var found: [String: Data] = [:]
        let root = directory.path(path)
        for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            if name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isFolder)
            if !isFolder.boolValue { found[name] = FileManager.default.contents(atPath: "\(root)/\(name)") }
        }
        return found
    }

    /// Whether the folder of a store has arrived.
    func hasCard(_ folder: String) -> Bool {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasSuffix(".store") }
        } catch { return false }
    }

    func areEqual(_ names: String...) -> Bool { names.dropFirst().allSatisfy { files($0) == files(names[0]) } }

    func verifyStores(_ names: String..., at location: SourceLocation = #_sourceLocation) throws {
        for name in names { try FoldersyncProcess.succeed("verify", store(name), at: location) }
    }
}
