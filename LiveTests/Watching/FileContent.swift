#if os(Linux)
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// What a small file holds, or where a link leads.
    struct FileContent: Equatable, Sendable {
        let inode: UInt64
        let mode: UInt32
        let text: String

        /// Nil if it is gone, or is a folder.
        init?(_ path: String) {
            var info = stat()
            guard lstat(path, &info) == 0 else { return nil }
            inode = UInt64(info.st_ino)
            mode = UInt32(info.st_mode)
            switch info.st_mode & S_IFMT {
            case S_IFDIR: return nil
            case S_IFLNK: text = Self.bytes { readlink(path, $0, $1) }
            default:
                let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                guard file >= 0 else { return nil }
                defer { close(file) }
                text = "\(info.st_size) " + Self.bytes { read(file, $0, $1) }
            }
        }

        /// The first bytes are enough to tell small files apart.
        private static func bytes(_ call: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
                guard let start = buffer.baseAddress else { return "" }
                let count = max(call(start, buffer.count), 0)
                return String(
                    decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), as: UTF8.self)
            }
        }
    }
#endif
