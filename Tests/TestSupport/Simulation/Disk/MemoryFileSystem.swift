public import FileCoordination
import Synchronization

/// A disk in memory, with the manners that disks of people have: times in steps of two seconds, names that differ in case
/// alone taken for one.
///
/// Files and directories, no links, nobody else's rights. Its clock goes only when it is told to, and by a nanosecond with
/// each change, so that everything on it follows from what was done.
public final class MemoryFileSystem: FileSystem {
    /// What a disk does otherwise than the usual one.
    public struct Manners: OptionSet, Hashable, Sendable {
        /// One bit for each.
        public let rawValue: Int
        /// The manners of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Times are in steps of two seconds, as on FAT.
        public static let coarseTimes = Manners(rawValue: 1)
        /// Names that differ in case alone are the same, as on macOS and Windows.
        public static let foldsCase = Manners(rawValue: 2)
    }

    private let disk: Mutex<MemoryDisk>

    /// An empty disk with its root directory.
    public init(_ manners: Manners = []) { disk = Mutex(MemoryDisk(manners)) }

    /// A disk with everything another one has, as after copying a machine.
    public init(copying other: MemoryFileSystem) {
        disk = Mutex(other.disk.withLock { $0.copied() })
    }

    /// Sets the disk's clock, in milliseconds since 1970.
    public func setClock(_ milliseconds: Int64) { disk.withLock { $0.now = milliseconds * 1_000_000 } }

    /// Moves the times of all files, as a change to summer time does on FAT.
    public func shiftTimes(by seconds: Int64) { disk.withLock { $0.shiftTimes(by: seconds * 1_000_000_000) } }

    /// Numbers all files anew, as mounting does where a file system has no numbers of its own.
    public func renumber() { disk.withLock { $0.renumber() } }

    /// The bytes of a file, without opening it.
    public func bytes(at path: String) -> [UInt8]? { disk.withLock { $0.file(at: path)?.bytes } }

    /// Sets the bytes of a file in place, or makes it.
    public func setBytes(_ bytes: [UInt8], at path: String) throws(Errno) {
        try run { (disk) throws(Errno) in try disk.set(bytes, at: path) }
    }

    private func run<R: Sendable>(_ body: (inout MemoryDisk) throws(Errno) -> R) throws(Errno) -> R {
        let result: Swift.Result<R, Errno> = disk.withLock { disk in
            do throws(Errno) { return .success(try body(&disk)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

extension MemoryFileSystem {
    /// Opens, and makes or empties where that is asked for.
    public func open(_ path: String, _ options: OpenOptions, permissions: FilePermissions) throws(Errno) -> OpenFile {
        try run { (disk) throws(Errno) in try disk.open(path, options, permissions) }
    }

    /// Forgets the descriptor.
    public func close(_ file: OpenFile) throws(Errno) {
        try run { (disk) throws(Errno) in
            if disk.openFiles.removeValue(forKey: file.descriptor) == nil { throw .badDescriptor }
        }
    }

    /// From where the last read ended.
    public func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        let (bytes, position) = try run { (disk) throws(Errno) in try disk.content(of: file) }
        let count = Self.copy(bytes, from: position, into: buffer)
        try run { (disk) throws(Errno) in disk.openFiles[file.descriptor]?.position += count }
        return count
    }

    /// From an offset.
    public func read(
        _ file: OpenFile, from offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        Self.copy(try run { (disk) throws(Errno) in try disk.content(of: file) }.0, from: Int(offset), into: buffer)
    }

    private static func copy(_ bytes: [UInt8], from start: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = max(0, min(buffer.count, bytes.count - start))
        bytes.withUnsafeBytes { source in
            if count > 0 { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<(start + count)])) }
        }
        return count
    }

    /// At the end of what was written so.
    public func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(Errno) -> Int {
        let copy = Array(bytes)
        try run { (disk) throws(Errno) in try disk.write(copy, to: file) }
        return copy.count
    }

    /// Cuts a file.
    public func truncate(_ file: OpenFile, to size: Int64) throws(Errno) {
        try run { (disk) throws(Errno) in try disk.truncate(file, to: Int(size)) }
    }

    /// Memory has nothing to sync.
    public func sync(_ file: OpenFile) throws(Errno) {}
    /// Memory has nothing to sync.
    public func syncDirectory(_ path: String) throws(Errno) {}

    /// Of an open file.
    public func attributes(of file: OpenFile) throws(Errno) -> FileAttributes {
        try run { (disk) throws(Errno) in try disk.attributes(of: file) }
    }

    /// Of a path.
    public func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes {
        try run { (disk) throws(Errno) in try disk.attributes(at: path) }
    }

    /// Of a name in an open directory.
    public func attributes(ofEntry name: [UInt8], in directory: OpenFile) throws(Errno) -> FileAttributes {
        try run { (disk) throws(Errno) in
            guard let path = disk.openFiles[directory.descriptor]?.path else { throw .badDescriptor }
            return try disk.attributes(at: path + "/" + String(decoding: name, as: UTF8.self))
        }
    }

    /// In the order in which they came.
    public func list(_ directory: OpenFile) throws(Errno) -> [DirectoryEntry] {
        try run { (disk) throws(Errno) in try disk.list(directory) }
    }

    /// Always.
    public func checkWritable(_ path: String) throws(Errno) { _ = try attributes(at: path, followLinks: true) }

    /// Replaces what is there.
    public func rename(_ path: String, to newPath: String) throws(Errno) {
        try run { (disk) throws(Errno) in try disk.rename(path, to: newPath, replacing: true) }
    }

    /// Fails if anything is there.
    public func renameWithoutReplacing(_ path: String, to newPath: String) throws(Errno) {
        try run { (disk) throws(Errno) in try disk.rename(path, to: newPath, replacing: false) }
    }

    /// Of a file.
    public func removeFile(_ path: String) throws(Errno) {
        try run { (disk) throws(Errno) in try disk.remove(path, isDirectory: false) }
    }

    /// Of an empty directory.
    public func removeDirectory(_ path: String) throws(Errno) {
        try run { (disk) throws(Errno) in try disk.remove(path, isDirectory: true) }
    }

    /// Makes a directory; its parent must be there.
    public func makeDirectory(_ path: String, permissions: FilePermissions) throws(Errno) {
        try run { (disk) throws(Errno) in try disk.makeDirectory(path) }
    }

    /// There are no links.
    public func readLink(_ path: String) throws(Errno) -> String { throw .invalidArgument }
    /// Not kept.
    public func setPermissions(_ permissions: FilePermissions, of file: OpenFile) throws(Errno) {}
    /// Not kept.
    public func setOwner(_ owner: UInt32, group: UInt32, of file: OpenFile) throws(Errno) {}
    /// There are none.
    public func hasExtendedAttributes(at path: String) throws(Errno) -> Bool { false }
    /// There are none.
    public func removeAccessList(of file: OpenFile) throws(Errno) -> Bool { false }
    /// There are none.
    public func copyExtendedAttributes(ofFileAt path: String, to file: OpenFile) throws(Errno) -> Bool { false }
    /// There is one process.
    public func lock(_ file: OpenFile, exclusive: Bool, wait: Bool) throws(Errno) {}
    /// There is one process.
    public func unlock(_ file: OpenFile) throws(Errno) {}
}
