import FileCoordination
import Foundation
import LLVSCore

/// One pass at a time over a store's folders, of all processes: `follow` and a `sync` from cron are never twins.
///
/// An open-file-description lock on a file beside the store; it ends with its holder, however that ends. Taken before the
/// store's writer lock, never while holding it.
final class PassLock {
    private let files: any FileSystem
    private let file: OpenFile

    private init(files: any FileSystem, file: OpenFile) {
        self.files = files
        self.file = file
    }

    /// Takes the lock, waiting as long as it takes; `onWaiting` is told once who holds it. Cancellation ends the wait.
    static func take(
        beside store: String, files: any FileSystem, pause: (Duration) async throws -> Void,
        onWaiting: (String) -> Void
    ) async throws -> PassLock {
        let path = store + "/pass.lock"
        let file: OpenFile
        do {
            file = try files.open(path, [.read, .write, .create, .noFollow], permissions: .privateFile)
        } catch {
            throw FolderSyncError(writing: .locking(path, error))
        }
        var hasTold = false
        while true {
            do {
                try files.lock(file, exclusive: true, wait: false)
                let lock = PassLock(files: files, file: file)
                try lock.sign(path)
                return lock
            } catch let error as Errno where error == .wouldBlock {
                if !hasTold {
                    onWaiting(try Self.holder(path, files))
                    hasTold = true
                }
            } catch let error as Errno {
                try files.close(file)
                throw FolderSyncError(
                    .locked, "the store's folder cannot be locked", remedy: "keep the store on a local disk", path: path,
                    cause: "\(error)")
            }
            do {
                try await pause(.milliseconds(100))
            } catch {
                try files.close(file)
                throw error
            }
        }
    }

    private static func holder(_ path: String, _ files: any FileSystem) throws -> String {
        let text = String(decoding: try files.readFile(at: path, limit: 4_096, followLinks: false), as: UTF8.self)
        let name = text.trimmingCharacters(in: .whitespaces)
        return name.isEmpty ? "another process" : name
    }

    /// Says in the file who holds it. Padded, so that a longer name before it leaves nothing behind.
    private func sign(_ path: String) throws {
        let process = ProcessInfo.processInfo
        let text = "process \(process.processIdentifier) (\(process.processName.prefix(60)))"
        let bytes = Array(text.padding(toLength: Self.signatureLength, withPad: " ", startingAt: 0).utf8)
        do {
            _ = try bytes.withUnsafeBytes { (buffer) throws(Errno) in try files.write(buffer, to: file) }
        } catch let error as Errno {
            throw FolderSyncError(writing: .locking(path, error))
        }
    }

    private static let signatureLength = 120

    func release() throws {
        try files.close(file)
    }
}
