#if os(Linux)
    import Foundation

    /// Another program, run to its end.
    struct Program {
        struct Failure: Error {
            let command: [String]
            let status: Int32
            let output: String
        }

        /// What it wrote; throws if it fails.
        @discardableResult
        static func run(
            _ command: String..., in folder: String? = nil, environment: [String: String] = [:]
        ) throws -> String {
            try run(command, in: folder, environment: environment)
        }

        @discardableResult
        static func run(
            _ command: [String], in folder: String? = nil, environment: [String: String] = [:]
        ) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
            let pipe = Pipe()
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw Failure(command: command, status: process.terminationStatus, output: output)
            }
            return output
        }

        /// Whether it can be run and succeeds.
        static func succeeds(_ command: String...) -> Bool {
            do { try run(command) } catch { return false }
            return true
        }
    }

    /// A mount that is undone with the object, even if it is in use.
    final class Mount {
        let path: String

        init(_ arguments: String..., on path: String) throws {
            self.path = path
            try Program.run(["mount"] + arguments + [path])
        }

        private init(mounted path: String) { self.path = path }

        /// What is in `folder` is seen at `path` through a program: writes into `folder` raise no events at `path`.
        static func throughFuse(_ folder: String, on path: String) throws -> Mount {
            // It goes on in the background, and would hold the pipe open.
            try Program.run("sh", "-c", "exec bindfs \"$0\" \"$1\" >/dev/null 2>&1", folder, path)
            return Mount(mounted: path)
        }

        private(set) var isMounted = true

        func unmount() throws {
            guard isMounted else { return }
            isMounted = false
            try Program.run("umount", "-l", path)
        }

        deinit {
            do { try unmount() } catch { print("still mounted: \(path): \(error)") }
        }
    }
#endif
