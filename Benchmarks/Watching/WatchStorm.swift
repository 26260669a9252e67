#if os(Linux)
    import CBenchmarkFloors
    import FileCoordination
    import Foundation

    /// 250 times `mkdir -p a/b/c/d` with ten files in each folder, flat out: how many of the 10,000 files are told.
    struct WatchStorm {
        let place: String

        func run() async throws {
            for round in 0..<5 {
                let root = "\(place)/storm-\(round)"
                try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
                try await run(at: root)
            }
        }

        private func run(at root: String) async throws {
            var options = WatchOptions()
            options.backlogLimit = 100_000
            let watcher = DirectoryWatcher(root, options: options)
            let told = ToldPaths()
            await watcher.start()
            let stream = watcher.events
            let cpu = floor_cpu_seconds()
            let begun = floor_now()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await batch in stream { told.add(batch.filter { !$0.isDirectory }.map(\.path)) }
                }
                // Blocks a thread of the pool for as long as the storm lasts; the watcher has its own.
                let failure = floor_storm(root, 250)
                guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
                let written = floor_now()
                while told.count < 10_000, floor_now() - written < 10_000_000_000 {
                    try await Task.sleep(for: .milliseconds(1))
                }
                let quiet = floor_now()
                print(
                    "storm: \(told.count) of 10000 files told, \((quiet - written) / 1_000_000) ms after the "
                        + "end of \((written - begun) / 1_000_000) ms of writing, CPU of both "
                        + "\(((floor_cpu_seconds() - cpu) * 1000).rounded()) ms, overflows \(watcher.status.overflows)")
                watcher.stop()
                try await group.waitForAll()
            }
        }
    }
#endif
