#if os(Linux)
    import CBenchmarkFloors
    import FileCoordination
    import Foundation

    /// How long after `stop()` the stream ends for its consumer, a thousand times, and what is left behind.
    struct WatchStop {
        let place: String

        func run() async throws {
            let root = "\(place)/stop"
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
            for number in 0..<10 { _ = floor_write_file("\(root)/\(number)") }
            // The run-time makes its own threads and descriptors with the first rounds, and keeps them.
            for _ in 0..<20 { _ = try await once(root) }
            let before = (count(in: "/proc/self/fd"), count(in: "/proc/self/task"))
            var times: [Double] = []
            for _ in 0..<1000 { times.append(try await once(root)) }
            let deadline = ContinuousClock.now + .seconds(5)
            while count(in: "/proc/self/fd") > before.0 || count(in: "/proc/self/task") > before.1, .now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
            print(
                "stop, stream ended: median \(Int(times.median)) µs, p99 \(Int(times.percentile(99))) µs; descriptors "
                    + "\(before.0) -> \(count(in: "/proc/self/fd")), threads \(before.1) -> \(count(in: "/proc/self/task"))"
            )
        }

        private func once(_ root: String) async throws -> Double {
            let watcher = DirectoryWatcher(root)
            let stream = watcher.events
            let consumer = Task { () -> Int64 in
                for await _ in stream {}
                return floor_now()
            }
            await watcher.start()
            try await Task.sleep(for: .microseconds(500))
            let stopped = floor_now()
            watcher.stop()
            return Double(await consumer.value - stopped) / 1000
        }

        private func count(in folder: String) -> Int {
            do { return try FileManager.default.contentsOfDirectory(atPath: folder).count } catch { return -1 }
        }
    }
#endif
