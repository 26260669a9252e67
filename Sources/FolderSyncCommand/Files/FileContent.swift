import FileCoordination
import LLVSCore

/// A file that cannot be read as the bytes it was: it goes on without it.
struct FileUnavailable: Error {
    /// Relative to the imported folder.
    let path: String
    let reason: String
}

/// A regular file as it was when it was looked at, and its bytes as a value's content that is read only when needed.
struct FileContent: Sendable {
    /// Relative to the imported folder; the id of its value.
    let path: String
    let fullPath: String
    private let files: any FileSystem
    /// What was seen of it when it was looked at.
    let seen: FileAttributes

    var size: UInt64 { UInt64(clamping: seen.size) }

    /// Opens the file once, so that what cannot be read is known before anything is saved.
    /// - Throws: ``FileUnavailable``.
    init(_ path: String, in folder: String, files: any FileSystem) throws(FileUnavailable) {
        self.path = path
        fullPath = folder + "/" + path
        self.files = files
        do {
            let file = try files.open(fullPath, [.read, .noFollow, .nonBlocking])
            seen = try files.closing(file) { () throws(Errno) in try files.attributes(of: file) }
        } catch {
            throw Self.unavailable(path, error)
        }
        if seen.kind != .file { throw FileUnavailable(path: path, reason: "no longer a regular file") }
    }

    /// The bytes, each time from the disk.
    /// - Parameter onRead: called with the number of bytes read, from whatever thread reads.
    func content(onRead: @escaping @Sendable (Int) -> Void) -> Value.Content {
        .stream(Value.Stream(size: size) { try Reader(self, onRead: onRead) })
    }

    private static func unavailable(_ path: String, _ errno: Errno) -> FileUnavailable {
        let reason =
            switch errno {
            case .noSuchFile, .notDirectory: "it vanished while it was read"
            case .linkLoop: "it became a link while it was read"
            default: "unreadable: \(errno)"
            }
        return FileUnavailable(path: path, reason: reason)
    }

    private func isUnchanged(_ now: FileAttributes) -> Bool {
        now.kind == .file && now.size == seen.size && now.modified == seen.modified && now.inode == seen.inode
            && now.device == seen.device
    }

    /// Reads the file from its start, and makes sure that it is still the one that was looked at, before and after.
    private final class Reader: ContentReader {
        private let content: FileContent
        private let onRead: @Sendable (Int) -> Void
        private var file: OpenFile?

        init(_ content: FileContent, onRead: @escaping @Sendable (Int) -> Void) throws {
            self.content = content
            self.onRead = onRead
            do { file = try content.files.open(content.fullPath, [.read, .noFollow, .nonBlocking]) } catch {
                throw FileContent.unavailable(content.path, error)
            }
            try checkUnchanged()
        }

        func read(atMost count: Int) throws -> [UInt8] {
            guard let file else { return [] }
            do {
                var failure: Errno?
                let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                    do { filled = try content.files.read(file, into: UnsafeMutableRawBufferPointer(buffer)) } catch {
                        failure = error as? Errno
                    }
                }
                if let failure { throw failure }
                if bytes.isEmpty {
                    try checkUnchanged()
                    close()
                }
                onRead(bytes.count)
                return bytes
            } catch let error as Errno {
                throw FileContent.unavailable(content.path, error)
            }
        }

        private func checkUnchanged() throws {
            guard let file else { return }
            if try !content.isUnchanged(content.files.attributes(of: file)) {
                throw FileUnavailable(path: content.path, reason: "it changed while it was read")
            }
        }

        private func close() {
            guard let file else { return }
            self.file = nil
            // Nothing was written, so a failing close loses nothing.
            do { try content.files.close(file) } catch {}
        }

        deinit { close() }
    }
}
