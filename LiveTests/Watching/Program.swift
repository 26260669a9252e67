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

        private init(mounted path: String, by server: Process) {
            self.path = path
            self.server = server
        }

        /// What is in `folder` is seen at `path` through a program: writes into `folder` raise no events at `path`.
        static func throughFuse(_ folder: String, on path: String) throws -> Mount {
            let device = try Disk.attributes(path).st_dev
            // In the foreground: a program that goes on in the background never ends for `Process`.
            let server = Process()
            server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            server.arguments = ["bindfs", "-f", folder, path]
            server.standardInput = FileHandle.nullDevice
            server.standardOutput = FileHandle.nullDevice
            server.standardError = FileHandle.nullDevice
            try server.run()
            let mount = Mount(mounted: path, by: server)
            for _ in 0..<1000 where try Disk.attributes(path).st_dev == device { Thread.sleep(forTimeInterval: 0.01) }
            return mount
        }

        private var server: Process?
        private(set) var isMounted = true

        func unmount() throws {
            guard isMounted else { return }
            isMounted = false
            defer {
                server?.terminate()
                server?.waitUntilExit()
            }
            try Program.run("umount", "-l", path)
        }

        deinit {
            do { try unmount() } catch { print("still mounted: \(path): \(error)") }
        }
    }
#endif
