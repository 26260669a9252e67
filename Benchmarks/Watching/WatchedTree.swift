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
            show("start, \(entries) entries", ours.median, floors.median, "ms")
            show("start, processor time", cpu.median, bareCPU.median, "ms")
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
            var (ours, floors): ([Double], [Double]) = ([], [])
            for round in 0..<rounds {
                ours += try await samples(
                    "\(root)/group-0/\(round)", reset: { stamps.reset() }, stamp: { stamps.value })
                // Without a rescan beside it: what the machine can do.
                let aside = "\(root)-aside"
                try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: true)
                guard let reader = floor_reader_start(aside) else { throw POSIXError(.EIO) }
                floors += try await samples(
                    "\(aside)/\(round)", reset: { floor_reader_reset(reader) }, stamp: { floor_reader_stamp(reader) })
                floor_reader_stop(reader)
            }
            watcher.stop()
            await consumer.value
            show("latency, \(name): median", ours.median, floors.median, "µs")
            show("latency, \(name): p99", ours.percentile(99), floors.percentile(99), "µs")
            print("  rescans: \(watcher.status.rescans)")
        }

        private func samples(
            _ path: String, reset: () -> Void, stamp: () -> Int64
        ) async throws -> [Double] {
            var all: [Double] = []
            for number in 0..<100 {
                reset()
                let closed = floor_write_file("\(path)-\(number).now")
                let deadline = ContinuousClock.now + .seconds(5)
                repeat { try await Task.sleep(for: .milliseconds(3)) } while stamp() == 0 && .now < deadline
                all.append(stamp() == 0 ? .infinity : Double(stamp() - closed) / 1000)
            }
            return all
        }
    }

    private func show(_ name: String, _ ours: Double, _ floor: Double, _ unit: String) {
        let ratio = ((ours / floor) * 100).rounded() / 100
        print("\(name.padded(to: 44)) \(Int(ours)) \(unit), C \(Int(floor)) \(unit), ratio \(ratio)")
    }

    /// By `/proc/self/statm`.
    private func residentBytes() -> Int {
        guard let text = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
    }

    extension [Double] {
        var median: Double { percentile(50) }
        func percentile(_ part: Int) -> Double { sorted()[Swift.min(count - 1, count * part / 100)] }
    }
#endif
