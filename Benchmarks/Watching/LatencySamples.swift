#if os(Linux)
    import CBenchmarkFloors
    import Foundation

    /// Finished writes some milliseconds apart, and how many microseconds after close(2) each was seen.
    struct LatencySamples {
        private(set) var ours: [Double] = []
        private(set) var floors: [Double] = []

        mutating func addOurs(_ path: String, reset: () -> Void, stamp: () -> Int64) async throws {
            ours += try await Self.samples(path, reset: reset, stamp: stamp)
        }

        /// By plain C that blocks in read(2) on a descriptor of inotify.
        mutating func addFloor(in folder: String, round: Int) async throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            guard let reader = floor_reader_start(folder) else { throw POSIXError(.EIO) }
            floors += try await Self.samples(
                "\(folder)/\(round)", reset: { floor_reader_reset(reader) }, stamp: { floor_reader_stamp(reader) })
            floor_reader_stop(reader)
        }

        func show(_ name: String) {
            figure("latency, \(name): median", ours.median, floors.median, "µs")
            figure("latency, \(name): p99", ours.percentile(99), floors.percentile(99), "µs")
        }

        private static func samples(
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

    /// A line of ours and the floor's.
    func figure(_ name: String, _ ours: Double, _ floor: Double, _ unit: String) {
        let ratio = ((ours / floor) * 100).rounded() / 100
        print("\(name.padded(to: 44)) \(Int(ours)) \(unit), C \(Int(floor)) \(unit), ratio \(ratio)")
    }

    extension [Double] {
        var median: Double { percentile(50) }
        func percentile(_ part: Int) -> Double { sorted()[Swift.min(count - 1, count * part / 100)] }
    }
#endif
