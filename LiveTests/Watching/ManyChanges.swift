#if os(Linux)
    import FileCoordination
    import Foundation

    /// 20,000 changes of 20,000 paths in 200 folders of 75 files: 10,000 rewritten, 5,000 deleted, 5,000 made.
    struct ManyChanges: Sendable {
        enum Pace: Sendable {
            case flatOut
            /// So that events are lost before, during and after the first repair.
            case overOneSecond
        }

        let root: String

        func prepare() throws {
            for folder in 0..<200 {
                try Disk.makeFolder("\(root)/\(folder)")
                for file in 0..<75 { try Disk.write("\(root)/\(folder)/f\(file)") }
            }
        }

        func make(_ pace: Pace) throws {
            for folder in 0..<200 {
                for file in 0..<50 { try Disk.write("\(root)/\(folder)/f\(file)", "other") }
                for file in 50..<75 { try Disk.remove("\(root)/\(folder)/f\(file)") }
                for file in 75..<100 { try Disk.write("\(root)/\(folder)/f\(file)", "new") }
                if pace == .overOneSecond { Thread.sleep(forTimeInterval: 0.005) }
            }
        }

        /// Rewrites of files that ``make(_:)`` changes once more.
        func rewrite(_ count: Int) throws {
            for number in 0..<count { try Disk.write("\(root)/\(number % 200)/f\(number / 200 % 50)", "\(number)") }
        }

        /// How many of the final states were told by their path, and how many of the others by a folder to be read again.
        func tally(_ told: ToldChanges) -> (exact: Int, covered: Int) {
            let words = told.words
            let again = Set(told.rescans.filter { $0.reason == .backlog }.map(\.path))
            var (exact, covered) = (0, 0)
            for folder in 0..<200 {
                let path = "\(root)/\(folder)"
                for file in 0..<100 {
                    let kind = words["\(path)/f\(file)"]?.kind
                    let isThere = !(50..<75).contains(file)
                    if let kind, (kind != .removed) == isThere {
                        exact += 1
                    } else if again.contains(path) || again.contains(root) {
                        covered += 1
                    }
                }
            }
            return (exact, covered)
        }
    }
#endif
