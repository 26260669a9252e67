import Foundation

extension BenchmarkGroup {
    /// The watcher beside plain C: `watch [FOLDERS [ROUNDS]] [PATH-OF-FOLDERSYNC]`.
    static let watch = BenchmarkGroup(name: "watch") { scratch, numbers in
        #if os(Linux)
            let (folders, rounds) = (numbers.first ?? 10_000, numbers.dropFirst().first ?? 5)
            for base in ["/dev/shm", scratch.path] {
                let place = "\(base)/watch-\(UUID().uuidString)"
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                defer {
                    do { try FileManager.default.removeItem(atPath: place) } catch { print("left behind: \(place)") }
                }
                print("## on \(base)")
                try await WatchedTree(place: place, folders: folders, rounds: rounds).run()
                try await WatchPipe(place: place, rounds: rounds).run()
                try await WatchStorm(place: place).run()
            }
            try await WatchStop(place: scratch.path).run()
        #else
            print("the floor is inotify: Linux only")
        #endif
    }
}
