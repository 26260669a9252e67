#if os(Linux)
    import Foundation

    /// The threads of the process and what they have cost (proc(5)).
    enum ProcessThreads {
        /// The numbers of the threads whose name begins so; names are cut at 15 bytes.
        static func named(_ prefix: String) throws -> Set<Int> {
            try Set(
                Disk.names(in: "/proc/self/task").filter { text("task/\($0)/comm").hasPrefix(prefix) }.compactMap {
                    Int($0)
                })
        }

        static func count() throws -> Int { try Disk.names(in: "/proc/self/task").count }

        static func descriptors() throws -> Int { try Disk.names(in: "/proc/self/fd").count }

        /// The time that the thread has run, in seconds; 0 if it has ended.
        static func time(of thread: Int) -> Double {
            let fields = text("task/\(thread)/schedstat").split(separator: " ")
            return (fields.first.flatMap { Double($0) } ?? 0) / 1e9
        }

        /// Memory in use that is the process's own, in MiB.
        static func residentMebibytes() -> Double {
            let line = text("status").split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
            let fields = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
            return fields.count > 1 ? (Double(fields[1]) ?? 0) / 1024 : 0
        }

        private static func text(_ name: String) -> String {
            do { return try String(contentsOfFile: "/proc/self/\(name)", encoding: .utf8) } catch { return "" }
        }
    }
#endif
