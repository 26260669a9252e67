#if os(Linux)
    import CBenchmarkFloors
    import Foundation

    /// How long after close(2) the reader of `foldersync watch DIR --json` has the line: two processes, and a pipe between
    /// them.
    struct WatchPipe {
        let place: String
        let rounds: Int

        func run() async throws {
            guard let command = Self.command() else {
                print("latency through a pipe: skipped, for there is no foldersync beside the benchmarks;")
                print("  swift build -c release --product foldersync, or: Benchmarks watch PATH-OF-FOLDERSYNC")
                return
            }
            let root = "\(place)/piped"
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
            let (process, pipe, lines) = (Process(), Pipe(), PipeLines())
            process.executableURL = URL(fileURLWithPath: command)
            process.arguments = ["watch", root, "--json"]
            process.standardOutput = pipe
            try process.run()
            defer {
                process.terminate()
                process.waitUntilExit()
            }
            lines.read(pipe.fileHandleForReading)
            let deadline = ContinuousClock.now + .seconds(10)
            while lines.ready.value == 0, .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
            guard lines.ready.value != 0 else { throw POSIXError(.ETIMEDOUT) }
            var samples = LatencySamples()
            for round in 0..<rounds {
                try await samples.addOurs(
                    "\(root)/\(round)", reset: { lines.changed.reset() }, stamp: { lines.changed.value })
                try await samples.addFloor(in: "\(place)/piped-aside", round: round)
            }
            samples.show("foldersync through a pipe")
        }

        /// The path on the command line, or what was built beside this program.
        private static func command() -> String? {
            if let path = CommandLine.arguments.dropFirst().first(where: { $0.contains("/") }) { return path }
            guard let folder = Bundle.main.executableURL?.deletingLastPathComponent() else { return nil }
            return ["foldersync", "FolderSyncCommand"].map { folder.appending(path: $0).path }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    }

    /// A thread that blocks in read(2), and stamps what it gets.
    private final class PipeLines: Sendable {
        let ready = Stamps()
        let changed = Stamps()

        func read(_ handle: FileHandle) {
            let thread = Thread { [self] in
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    let count = Foundation.read(handle.fileDescriptor, &buffer, buffer.count)
                    let now = floor_now()
                    if count <= 0 { return }
                    let text = String(decoding: buffer[..<count], as: UTF8.self)
                    if text.contains("\"ready\"") { ready.set(now) }
                    if text.contains(".now\"") { changed.set(now) }
                }
            }
            thread.start()
        }
    }
#endif
