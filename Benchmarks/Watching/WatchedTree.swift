#if os(Linux)
    import CBenchmarkFloors
    import FileCoordination
    import Foundation

    /// Start, memory, idle time and latency with a tree of ten files in each folder.
    struct WatchedTree {
        let root: String
        let folders: Int
        /// Of a hundred samples of latency.
        let rounds: Int

        init(place: String, folders: Int, rounds: Int) throws {
            root = "\(place)/tree"
            self.folders = folders
            self.rounds = rounds
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
            let failure = floor_make_tree(root, Int32(folders), 10)
            guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
        }

        func run() async throws {
            try await memoryAndIdleness()
            try await start()
            try await latency("idle", WatchOptions())
            var options = WatchOptions()
            options.periodicRescan = .milliseconds(1)
            try await latency("during rescans", options)
        }

        private func start() async throws {
            var (ours, floors): ([Double], [Double]) = ([], [])
            var (cpu, bareCPU): ([Double], [Double]) = ([], [])
            var entries = 0
            for _ in 0..<5 {
                let bareStart = floor_cpu_seconds()
                floors.append(floor_watch_walk(root, &entries) * 1000)
                let ownStart = floor_cpu_seconds()
                bareCPU.append((ownStart - bareStart) * 1000)
                let watcher = DirectoryWatcher(root)
                let begun = ContinuousClock.now
                await watcher.start()
                ours.append((ContinuousClock.now - begun) / .milliseconds(1))
                cpu.append((floor_cpu_seconds() - ownStart) * 1000)
                watcher.stop()
                // The kernel takes its time to give watches back, and would take it from the next round.
                try await Task.sleep(for: .milliseconds(300))
            }
            figure("start, \(entries) entries", ours.median, floors.median, "ms")
            figure("start, processor time", cpu.median, bareCPU.median, "ms")
        }

        private func memoryAndIdleness() async throws {
            let before = residentBytes()
            let watcher = DirectoryWatcher(root)
            await watcher.start()
            try await Task.sleep(for: .milliseconds(200))
            let after = residentBytes()
            let entries = folders * 11
            print("memory: \((after - before) / entries) bytes an entry, \(after >> 20) MiB RSS in all")
            let cpu = floor_cpu_seconds()
            try await Task.sleep(for: .seconds(5))
            let share = (floor_cpu_seconds() - cpu) / 5 * 100
            print(
                "idle: \((share * 100).rounded() / 100) % CPU over 5 s, \(watcher.status.watchedFolders) folders watched"
            )
            watcher.stop()
        }

        /// Each sample is one finished write some milliseconds after the last; ours and C's take turns.
        private func latency(_ name: String, _ options: WatchOptions) async throws {
            let watcher = DirectoryWatcher(root, options: options)
            let stamps = Stamps()
            let subscription = watcher.subscribe()
            let consumer = Task {
                for await batch in subscription {
                    let now = floor_now()
                    for event in batch where event.path.hasSuffix(".now") { stamps.set(now) }
                }
            }
            await watcher.start()
            var samples = LatencySamples()
            for round in 0..<rounds {
                try await samples.addOurs(
                    "\(root)/group-0/\(round)", reset: { stamps.reset() }, stamp: { stamps.value })
                // Without a rescan beside it: what the machine can do.
                try await samples.addFloor(in: "\(root)-aside", round: round)
            }
            watcher.stop()
            await consumer.value
            samples.show(name)
            print("  rescans: \(watcher.status.rescans)")
        }
    }

    /// By `/proc/self/statm`.
    private func residentBytes() -> Int {
        guard let text = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
    }
#endif
