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
        beside store: String, files: any FileSystem, isolation: isolated (any Actor)? = #isolation,
        pause: (Duration) async throws -> Void, onWaiting: (String) -> Void
    ) async throws -> PassLock {
        let path = store + "/pass.lock"
        let lock = try typed(path) { () throws(Errno) in
            PassLock(
                files: files,
                file: try files.open(path, [.read, .write, .create, .noFollow], permissions: .privateFile))
        }
        do {
            var hasTold = false
            while try !lock.isTaken(path) {
                if !hasTold { onWaiting(lock.holder(path)) }
                hasTold = true
                try await pause(.milliseconds(100))
            }
            try lock.sign(path)
            return lock
        } catch {
            lock.release()
            throw error
        }
    }

    private func isTaken(_ path: String) throws -> Bool {
        try Self.typed(path) { () throws(Errno) in
            do throws(Errno) {
                try files.lock(file, exclusive: true, wait: false)
                return true
            } catch {
                if error == .wouldBlock { return false }
                throw error
            }
        }
    }

    /// Who holds it, by what is written in the file. Only for people: if it cannot be read, nobody is named.
    private func holder(_ path: String) -> String {
        do {
            let text = String(decoding: try files.readFile(at: path, limit: 4_096, followLinks: false), as: UTF8.self)
            let name = text.trimmingCharacters(in: .whitespaces)
            return name.isEmpty ? "another process" : name
        } catch {
            return "another process"
        }
    }

    /// Says in the file who holds it.
    private func sign(_ path: String) throws {
        do {
            _ = try Self.signature.withUnsafeBytes { try files.write($0, to: file) }
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Padded, so that a longer name before it leaves nothing behind.
    private static let signature: [UInt8] = {
        let process = ProcessInfo.processInfo
        let text = "process \(process.processIdentifier) (\(process.processName.prefix(60)))"
        return Array(text.padding(toLength: 120, withPad: " ", startingAt: 0).utf8)
    }()

    private static func typed<Result>(_ path: String, _ body: () throws(Errno) -> Result) throws -> Result {
        do throws(Errno) {
            return try body()
        } catch {
            throw failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: any Error) -> FolderSyncError {
        FolderSyncError(
            .locked, "the store's folder cannot be locked for a pass",
            remedy: "keep the store on a local disk that can be written to", path: path, cause: "\(error)")
    }

    func release() {
        // The lock goes with the descriptor, whatever close says.
        do { try files.close(file) } catch {}
    }
}
