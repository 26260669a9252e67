#if os(Linux)
    import FileCoordination
    import Foundation
    import Synchronization
    import TestSupport

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// Random operations on a small tree, so small that most of them meet what another thread did a moment ago.
    struct RandomChanges: Sendable {
        let root: String
        let seed: UInt64

        /// How many operations succeeded; inodes that ever had a second name, whose writes may come through the other one.
        struct Outcome: Sendable {
            var done = 0
            var hardLinked: Set<UInt64> = []
        }

        func make(_ count: Int) throws -> Outcome {
            var random = SeededRandom(seed: seed)
            var outcome = Outcome()
            var number = 0
            while outcome.done < count {
                number += 1
                // So that some of it happens while the watcher looks, and some while it tells.
                if Int.random(in: 0..<8, using: &random) == 0 { usleep(.random(in: 0..<2000, using: &random)) }
                do {
                    try change(number, &random, &outcome)
                    outcome.done += 1
                } catch let failure as Disk.Failure {
                    // The other thread was faster, or it cannot be done to what is there.
                    let expected = [
                        ENOENT, EEXIST, ENOTDIR, EISDIR, ENOTEMPTY, EINVAL, ELOOP, EPERM, EBUSY, ESTALE, ENXIO,
                    ]
                    if !expected.contains(failure.number) { throw failure }
                }
            }
            return outcome
        }

        private func change(_ number: Int, _ random: inout SeededRandom, _ outcome: inout Outcome) throws {
            let (path, other) = (place(&random), place(&random))
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<4: try Disk.write(path, "\(seed) \(number)")
            case 4..<6: try Disk.append(path, "\(number)")
            case 6..<9: try Disk.makeFolders(relative(path), below: root)
            case 9..<12: try Disk.move(path, other)
            case 12: try Disk.swap(path, other)
            case 13: try Disk.remove(path)
            case 14: try Disk.removeFolder(path)
            case 15: try Disk.removeTree(path)
            case 16: try Disk.linkSymbolically(path, to: other)
            case 17:
                try Disk.linkHard(path, to: other)
                outcome.hardLinked.insert(UInt64(try Disk.attributes(path).st_ino))
            case 18: try changeMode(path, Int.random(in: 0..<4, using: &random))
            default: try Disk.check(truncate(path, Int.random(in: 0..<8, using: &random)), "truncate", path)
            }
        }

        /// Of a link the mode would be changed where it leads, which may be outside or an ancestor.
        private func changeMode(_ path: String, _ bits: Int) throws {
            guard try Disk.kind(path) == S_IFREG else { return }
            try Disk.check(fchmodat(AT_FDCWD, path, 0o600 | mode_t(bits), 0), "chmod", path)
        }

        private func place(_ random: inout SeededRandom) -> String {
            var path = root
            for _ in 0...Int.random(in: 0...3, using: &random) { path += "/n\(Int.random(in: 0..<4, using: &random))" }
            return path
        }

        private func relative(_ path: String) -> String { String(path.dropFirst(root.utf8.count + 1)) }
    }
#endif
