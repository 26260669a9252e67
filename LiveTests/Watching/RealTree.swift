#if os(Linux)
    import FileCoordination
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// What is there, by a walk of its own: what everything told is compared with.
    struct RealTree: Equatable {
        /// Every path below the root, and whether it is a folder. Temporary names and what is below them are left out.
        private(set) var entries: [String: Bool] = [:]
        /// The inodes of the folders, the root's among them.
        private(set) var folderInodes: Set<UInt64> = []

        /// What vanishes during the walk is left out; a root that is not there is empty.
        init(_ root: String) throws {
            guard let inode = try Self.look(root)?.inode else { return }
            folderInodes.insert(inode)
            var waiting = [root]
            // Judging a name costs more than looking at the file.
            var judged: [String: TemporaryNames.Kind?] = [:]
            while let folder = waiting.popLast() {
                for name in try Disk.names(in: folder) {
                    let path = "\(folder)/\(name)"
                    let kind = judged[name] ?? TemporaryNames.classify(name)
                    judged[name] = kind
                    guard let (isFolder, inode) = try Self.look(path), !Self.leavesOut(kind, isFolder) else { continue }
                    entries[path] = isFolder
                    guard isFolder else { continue }
                    folderInodes.insert(inode)
                    waiting.append(path)
                }
            }
        }

        /// A folder with the name of a temporary file may have real ones in it.
        private static func leavesOut(_ kind: TemporaryNames.Kind?, _ isFolder: Bool) -> Bool {
            switch kind {
            case .control: true
            case .temporary: !isFolder
            case .placeholder, nil: false
            }
        }

        private static func look(_ path: String) throws -> (isFolder: Bool, inode: UInt64)? {
            do {
                let info = try Disk.attributes(path)
                return (info.st_mode & S_IFMT == S_IFDIR, UInt64(info.st_ino))
            } catch let failure as Disk.Failure where failure.number == ENOENT {
                return nil
            }
        }

        var files: [String] { entries.filter { !$0.value }.map(\.key) }
        var folders: [String] { entries.filter(\.value).map(\.key) }
    }
#endif
