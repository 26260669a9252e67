#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension ToldChanges {
        /// In the end, the picture made from what was told is what is there, and the kernel watches the folders that are
        /// there, each and no other.
        func isTrueInTheEnd(
            within limit: Duration = .seconds(90), watched: Bool = true, _ location: SourceLocation = #_sourceLocation
        ) async throws {
            let isTrue = try await sees(within: limit) { told in
                guard told.isQuiet(for: .milliseconds(150)) else { return false }
                let tree = try RealTree(root)
                let inodes = watched ? try KernelWatches.inodes(ofRoot: root) : tree.folderInodes
                return told.picture == tree.entries && inodes == tree.folderInodes
            }
            if !isTrue { try describeDifference(watched, location) }
        }

        private func describeDifference(_ watched: Bool, _ location: SourceLocation) throws {
            let (tree, told) = (try RealTree(root), picture)
            let untold = tree.entries.filter { told[$0.key] != $0.value }.keys.sorted()
            let ghosts = told.filter { tree.entries[$0.key] == nil }.keys.sorted()
            #expect(
                untold.isEmpty, "\(untold.count) of \(tree.entries.count) untold: \(untold.prefix(5))",
                sourceLocation: location)
            #expect(ghosts.isEmpty, "\(ghosts.count) told but gone: \(ghosts.prefix(5))", sourceLocation: location)
            guard watched else { return }
            let inodes = try KernelWatches.inodes(ofRoot: root)
            #expect(inodes.count == tree.folderInodes.count, "kernel watches", sourceLocation: location)
            #expect(inodes == tree.folderInodes, "other folders are watched", sourceLocation: location)
            // Neither: it never became quiet.
            #expect(isQuiet(for: .milliseconds(150)), "never quiet", sourceLocation: location)
        }

        /// In the end, every file reads as it did when the consumer was last told of it.
        ///
        /// - Parameter exceptions: Inodes that have, or had, a name the watcher is not told of.
        func hasReadEverything(
            but exceptions: Set<UInt64> = [], _ location: SourceLocation = #_sourceLocation
        ) throws {
            let read = contents
            var stale: [String] = []
            for path in try RealTree(root).files {
                guard let content = FileContent(path), !exceptions.contains(content.inode) else { continue }
                if read[path] != content { stale.append("\(path): \(content), read \(String(describing: read[path]))") }
            }
            #expect(stale.isEmpty, "\(stale.count) stale: \(stale.prefix(3))", sourceLocation: location)
        }

        /// Whether these are all told as being there before the deadline.
        func hears(of paths: [String], within limit: Duration = .seconds(30)) async -> Bool {
            await sees(within: limit) { told in
                let words = told.words
                return paths.allSatisfy { path in
                    guard let kind = words[path]?.kind else { return false }
                    return kind != .removed
                }
            }
        }

        /// Whether these are all told as gone before the deadline.
        func hearsOfEnd(of paths: [String], within limit: Duration = .seconds(30)) async -> Bool {
            await sees(within: limit) { told in
                let words = told.words
                return paths.allSatisfy { words[$0]?.kind == .removed }
            }
        }
    }
#endif
