import Foundation

/// The floor: open, write, (fsync,) close, rename (, open the folder, fsync, close), and nothing else.
struct BareWriter {
    struct Failure: Error { let errno: Int32 }

    let isDurable: Bool

    func write(_ bytes: [UInt8], to path: String) throws {
        let temporary = path + ".tmp"
        let file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        try check(file)
        try check(bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) })
        if isDurable { try check(fsync(file)) }
        try check(close(file))
        try check(rename(temporary, path))
        if isDurable { try syncFolder(of: path) }
    }

    private func syncFolder(of path: String) throws {
        let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        let folder = open(String(parent), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try check(folder)
        try check(fsync(folder))
        try check(close(folder))
    }

    private func check(_ result: some BinaryInteger) throws {
        if result < 0 { throw Failure(errno: errno) }
    }
}
