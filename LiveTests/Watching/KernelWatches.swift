#if os(Linux)
    import Foundation

    /// The watches that the kernel keeps for this process, as `/proc/self/fdinfo` lists them (proc(5)).
    enum KernelWatches {
        /// The inodes that are watched through the descriptor which also watches this root; empty if there is none.
        static func inodes(ofRoot root: String) throws -> Set<UInt64> {
            let wanted = try Disk.attributes(root)
            let device = kernelDevice(UInt64(wanted.st_dev))
            for name in try Disk.names(in: "/proc/self/fdinfo") {
                let watches = text(of: name).split(separator: "\n").compactMap(Watch.init)
                if watches.contains(where: { $0.inode == UInt64(wanted.st_ino) && $0.device == device }) {
                    return Set(watches.map(\.inode))
                }
            }
            return []
        }

        /// Empty if the descriptor is closed by now.
        private static func text(of descriptor: String) -> String {
            do { return try String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8) } catch {
                return ""
            }
        }

        private struct Watch {
            let inode: UInt64
            let device: UInt64

            /// `inotify wd:1 ino:2d1c sdev:fe00000 mask:…`.
            init?(_ line: Substring) {
                guard line.hasPrefix("inotify wd:") else { return nil }
                var fields: [Substring: UInt64] = [:]
                for field in line.split(separator: " ") {
                    let parts = field.split(separator: ":")
                    if parts.count == 2 { fields[parts[0]] = UInt64(parts[1], radix: 16) }
                }
                guard let inode = fields["ino"], let device = fields["sdev"] else { return nil }
                self.inode = inode
                self.device = device
            }
        }

        /// From the form that programs see to the kernel's own.
        private static func kernelDevice(_ device: UInt64) -> UInt64 {
            let major = (device >> 8) & 0xFFF
            let minor = (device & 0xFF) | ((device >> 12) & 0xFFF00)
            return major << 20 | minor
        }
    }
#endif
