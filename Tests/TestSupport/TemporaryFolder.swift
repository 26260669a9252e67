import FileCoordination
import Foundation

/// A folder for one test, which goes with everything in it when the test lets go of it.
public final class TemporaryFolder: Sendable {
    /// Its path, without links in it.
    public let path: String

    /// In memory where the system has a file system for that, with room for all tests that run at once: in a container it often
    /// has 64 MB.
    private static let base: String = {
        let (memory, files) = ("/dev/shm", FileManager.default)
        do {
            let free = try files.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? NSNumber
            if files.isWritableFile(atPath: memory), (free?.int64Value ?? 0) > 2 << 30 { return memory }
        } catch {
            // There is none.
        }
        return files.temporaryDirectory.resolvingSymlinksInPath().path
    }()

    /// Makes an empty one.
    public init() throws {
        path = "\(Self.base)/fs-test-\(UUID().uuidString.lowercased())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // A test that made something unremovable says so itself.
        do { try FileManager.default.removeItem(atPath: path) } catch {}
    }

    /// The path of something in it.
    public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file as any program would: truncate and write.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let path = self(name)
        try write(Array(text.utf8), atPath: path)
        return path
    }

    /// Puts a whole file there in one step: it is written beside the folder, and renamed into it.
    ///
    /// Of that a watcher of the folder tells once. Of a file that is written it tells a second time if the writer is kept waiting
    /// between opening and closing it.
    @discardableResult
    public func place(_ text: String, at name: String) throws -> String {
        let (source, target) = ("\(path)-\(UUID().uuidString.lowercased())", self(name))
        try write(Array(text.utf8), atPath: source)
        try LocalFileSystem().rename(source, to: target)
        return target
    }

    private func write(_ bytes: [UInt8], atPath path: String) throws {
        let files = LocalFileSystem()
        let file = try files.open(path, [.write, .create, .truncate])
        defer { do { try files.close(file) } catch {} }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = try rest.withUnsafeBytes { buffer in try files.write(buffer, to: file) }
            rest = rest.dropFirst(written)
        }
    }

    /// The text of a file in it.
    public func text(of name: String) throws -> String {
        String(decoding: try LocalFileSystem().readFile(at: self(name)), as: UTF8.self)
    }

    /// Makes a folder and those above it.
    @discardableResult
    public func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
        return self(name)
    }

    /// The names in it, sorted.
    public func names(in folder: String = ".") throws -> [String] {
        try LocalFileSystem().list(self(folder)).map { String(decoding: $0.nameBytes, as: UTF8.self) }.sorted()
    }
}
