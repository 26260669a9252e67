import TestSupport

@testable import FileCoordination

/// Everything that changes a file, each with its own sequence of calls.
enum WriteScenario: String, CaseIterable, Sendable {
    case newFile, replaced, throughLink, otherFolder, copied, inPieces
    case updated, updatedToNothing, unchanged, stillAbsent, batch, createOnly, createOnlyByLink, deleted,
        deletedUnchanged

    private static let text = Array("the old content".utf8)

    /// The content before, nil if there is no file.
    var old: [UInt8]? {
        switch self {
        case .newFile, .stillAbsent, .createOnly, .createOnlyByLink: nil
        default: Self.text
        }
    }

    /// The content afterwards.
    var new: [UInt8]? {
        switch self {
        case .updatedToNothing, .deleted, .deletedUnchanged: nil
        default: Self.written
        }
    }

    static let written = Array("the new content, which is longer".utf8)
}

/// A folder made ready for a scenario.
struct WritePlace {
    let scenario: WriteScenario
    let folder: TemporaryFolder
    let base: any FileSystem

    init(_ scenario: WriteScenario) throws {
        self.scenario = scenario
        folder = try TemporaryFolder()
        let other = try folder.makeFolder("other")
        try folder.makeFolder("locks")
        if let old = scenario.old { try CoordinatedFile().write(old, to: folder("a")) }
        try FileSystemLink.make(at: folder("l"), to: "a")
        switch scenario {
        case .copied: base = CrossDeviceFileSystem(from: other)
        case .createOnlyByLink: base = LimitedFileSystem(renamingWithoutReplacing: .invalidArgument)
        default: base = LocalFileSystem()
        }
    }

    var folders: [String] { [folder.path, folder("other")] }

    /// What the file holds, nil if there is none.
    var content: [UInt8]? {
        get throws {
            do { return try CoordinatedFile().read(at: folder("a")) } catch {
                guard error.code == .noSuchFile else { throw error }
                return nil
            }
        }
    }

    var temporaries: [String] {
        get throws {
            try (folder.names().map { folder($0) } + folder.names(in: "other").map { folder("other/\($0)") })
                .filter { FilePlace($0).flatMap { TemporaryName($0.name) } != nil }
        }
    }

    /// Gives what is left the name of a writer that is gone.
    func pretendTheWriterDied() throws {
        for path in try temporaries {
            guard let place = FilePlace(path), var name = TemporaryName(place.name) else { continue }
            name.writer.start = 1
            try LocalFileSystem().rename(path, to: FilePlace.join(place.folder, name.name))
        }
    }

    /// Does it, and returns why it could not be done.
    func run(with files: any FileSystem) throws -> FileCoordinationError? {
        do {
            try change(CoordinatedFile(files: files, lockFolder: folder("locks")))
            return nil
        } catch let error as FileCoordinationError {
            return error
        } catch let error as BatchWriteError {
            return error.cause
        }
    }

    private func change(_ file: CoordinatedFile) throws {
        let (path, bytes) = (folder("a"), WriteScenario.written)
        var elsewhere = file
        elsewhere.temporaryFolder = folder("other")
        switch scenario {
        case .newFile, .replaced: try file.write(bytes, to: path)
        case .throughLink: try file.write(bytes, to: folder("l"))
        case .otherFolder, .copied: try elsewhere.write(bytes, to: path)
        case .inPieces: try file.write(to: path) { for byte in bytes { try $0.write([byte]) } }
        case .updated: try file.update(at: path) { _ in .write(bytes) }
        case .updatedToNothing: try file.update(at: path) { _ in .delete }
        case .unchanged: try file.writeIfUnchanged(bytes, to: path, since: FileState(of: scenario.old ?? []))
        case .stillAbsent: try file.writeIfUnchanged(bytes, to: path, since: .absent)
        case .batch: try file.writeAll([FileContent(path: path, bytes: bytes)])
        case .createOnly, .createOnlyByLink: try file.write(bytes, to: path, ifExists: .fail)
        case .deleted: try file.delete(at: path)
        case .deletedUnchanged: try file.deleteIfUnchanged(at: path, since: FileState(of: scenario.old ?? []))
        }
    }
}
