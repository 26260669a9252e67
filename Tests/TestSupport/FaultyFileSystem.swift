public import FileCoordination
import Synchronization

/// A file system that does what another one does, but counts the calls and fails some of them.
///
/// Calls are counted from 1 over everything done through it. For crash tests it "dies": from a call on, that call and every
/// later one throws ``died`` and nothing reaches the disk any more.
public final class FaultyFileSystem: FileSystem {
    /// When calls fail.
    public enum Fault: Sendable {
        /// Never; calls are only counted and recorded.
        case none
        /// Call number `call` fails, the others work.
        case once(call: Int, errno: Errno)
        /// Call number `call` and all later ones fail.
        case from(call: Int, errno: Errno)
        /// The process "dies" before call number `call`.
        case death(call: Int)
        /// Every call of this name fails, for example "sync"; of paths with this suffix only, if one is given.
        case named(String, pathSuffix: String? = nil, errno: Errno)
    }

    /// One call that was made.
    public struct Call: Hashable, Sendable, CustomStringConvertible {
        /// The method's name, for example "open" or "rename".
        public let name: String
        /// The path it was given, or that its file was opened with.
        public let path: String
        /// "name path".
        public var description: String { "\(name) \(path)" }
    }

    /// What a dead file system throws: no number that a system has.
    public static let died = Errno(rawValue: 9_999)

    private struct State {
        var fault: Fault
        var calls: [Call] = []
        var count = 0
        var tripped = false
        var mostWritten = Int.max
        var paths: [Int32: String] = [:]
    }

    private let base: any FileSystem
    private let state: Mutex<State>

    /// Wraps `base`.
    public init(_ base: any FileSystem = .local, fault: Fault = .none) {
        self.base = base
        state = Mutex(State(fault: fault))
    }

    /// The calls so far, those that failed included.
    public var calls: [Call] { state.withLock { $0.calls } }
    /// How many calls there were.
    public var callCount: Int { state.withLock { $0.count } }
    /// Whether any call was made to fail.
    public var tripped: Bool { state.withLock { $0.tripped } }
    /// How many files are open.
    public var openFiles: Int { state.withLock { $0.paths.count } }

    /// Changes what fails from here on; numbers go on counting.
    public func set(_ fault: Fault) { state.withLock { $0.fault = fault } }
    /// Every write takes this many bytes at most.
    public func writeAtMost(_ count: Int) { state.withLock { $0.mostWritten = count } }

    private func meet(_ name: String, _ path: String) throws(Errno) {
        let failure: Errno? = state.withLock { state in
            state.count += 1
            state.calls.append(Call(name: name, path: path))
            let failure = state.fault.failure(of: state.calls[state.count - 1], number: state.count)
            if failure != nil { state.tripped = true }
            return failure
        }
        if let failure { throw failure }
    }

    private func meet(_ name: String, _ file: OpenFile) throws(Errno) {
        try meet(name, state.withLock { $0.paths[file.descriptor] } ?? "?")
    }
}

extension FaultyFileSystem.Fault {
    fileprivate func failure(of call: FaultyFileSystem.Call, number: Int) -> Errno? {
        switch self {
        case .none: nil
        case .once(let at, let errno): number == at ? errno : nil
        case .from(let at, let errno): number >= at ? errno : nil
        case .death(let at): number >= at ? FaultyFileSystem.died : nil
        case .named(let name, let suffix, let errno):
            call.name == name && suffix.map(call.path.hasSuffix) ?? true ? errno : nil
        }
    }
}

extension FaultyFileSystem {
    /// See ``FileCoordination/FileSystem``.
    public func open(_ path: String, _ options: OpenOptions, permissions: FilePermissions) throws(Errno) -> OpenFile {
        try meet("open", path)
        let file = try base.open(path, options, permissions: permissions)
        state.withLock { $0.paths[file.descriptor] = path }
        return file
    }

    /// Closes the file even if the call is made to fail, as a system does.
    public func close(_ file: OpenFile) throws(Errno) {
        let path = state.withLock { $0.paths.removeValue(forKey: file.descriptor) } ?? "?"
        var failure: Errno?
        do { try meet("close", path) } catch { failure = error }
        try base.close(file)
        if let failure { throw failure }
    }

    /// See ``FileCoordination/FileSystem``.
    public func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try meet("read", file)
        return try base.read(file, into: buffer)
    }

    /// See ``FileCoordination/FileSystem``.
    public func read(
        _ file: OpenFile, from offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try meet("read", file)
        return try base.read(file, from: offset, into: buffer)
    }

    /// Writes at most as much as ``writeAtMost(_:)`` says.
    public func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(Errno) -> Int {
        try meet("write", file)
        let most = state.withLock { $0.mostWritten }
        return try base.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(most)), to: file)
    }

    /// See ``FileCoordination/FileSystem``.
    public func truncate(_ file: OpenFile, to size: Int64) throws(Errno) {
        try meet("truncate", file)
        try base.truncate(file, to: size)
    }

    /// See ``FileCoordination/FileSystem``.
    public func sync(_ file: OpenFile) throws(Errno) {
        try meet("sync", file)
        try base.sync(file)
    }

    /// See ``FileCoordination/FileSystem``.
    public func attributes(of file: OpenFile) throws(Errno) -> FileAttributes {
        try meet("attributes", file)
        return try base.attributes(of: file)
    }

    /// See ``FileCoordination/FileSystem``.
    public func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes {
        try meet("attributes", path)
        return try base.attributes(at: path, followLinks: followLinks)
    }

    /// See ``FileCoordination/FileSystem``.
    public func attributes(ofEntry name: [UInt8], in directory: OpenFile) throws(Errno) -> FileAttributes {
        try meet("attributes", directory)
        return try base.attributes(ofEntry: name, in: directory)
    }

    /// See ``FileCoordination/FileSystem``.
    public func list(_ directory: OpenFile) throws(Errno) -> [DirectoryEntry] {
        try meet("list", directory)
        return try base.list(directory)
    }

    /// See ``FileCoordination/FileSystem``.
    public func checkWritable(_ path: String) throws(Errno) {
        try meet("checkWritable", path)
        try base.checkWritable(path)
    }

    /// See ``FileCoordination/FileSystem``.
    public func rename(_ path: String, to newPath: String) throws(Errno) {
        try meet("rename", newPath)
        try base.rename(path, to: newPath)
    }

    /// See ``FileCoordination/FileSystem``.
    public func renameWithoutReplacing(_ path: String, to newPath: String) throws(Errno) {
        try meet("renameWithoutReplacing", newPath)
        try base.renameWithoutReplacing(path, to: newPath)
    }

    /// See ``FileCoordination/FileSystem``.
    public func removeFile(_ path: String) throws(Errno) {
        try meet("removeFile", path)
        try base.removeFile(path)
    }

    /// See ``FileCoordination/FileSystem``.
    public func makeDirectory(_ path: String, permissions: FilePermissions) throws(Errno) {
        try meet("makeDirectory", path)
        try base.makeDirectory(path, permissions: permissions)
    }

    /// See ``FileCoordination/FileSystem``.
    public func removeDirectory(_ path: String) throws(Errno) {
        try meet("removeDirectory", path)
        try base.removeDirectory(path)
    }

    /// See ``FileCoordination/FileSystem``.
    public func syncDirectory(_ path: String) throws(Errno) {
        try meet("syncDirectory", path)
        try base.syncDirectory(path)
    }

    /// See ``FileCoordination/FileSystem``.
    public func readLink(_ path: String) throws(Errno) -> String {
        try meet("readLink", path)
        return try base.readLink(path)
    }

    /// See ``FileCoordination/FileSystem``.
    public func setPermissions(_ permissions: FilePermissions, of file: OpenFile) throws(Errno) {
        try meet("setPermissions", file)
        try base.setPermissions(permissions, of: file)
    }

    /// See ``FileCoordination/FileSystem``.
    public func setOwner(_ owner: UInt32, group: UInt32, of file: OpenFile) throws(Errno) {
        try meet("setOwner", file)
        try base.setOwner(owner, group: group, of: file)
    }

    /// See ``FileCoordination/FileSystem``.
    public func hasExtendedAttributes(at path: String) throws(Errno) -> Bool {
        try meet("hasExtendedAttributes", path)
        return try base.hasExtendedAttributes(at: path)
    }

    /// See ``FileCoordination/FileSystem``.
    public func removeAccessList(of file: OpenFile) throws(Errno) -> Bool {
        try meet("removeAccessList", file)
        return try base.removeAccessList(of: file)
    }

    /// See ``FileCoordination/FileSystem``.
    public func copyExtendedAttributes(ofFileAt path: String, to file: OpenFile) throws(Errno) -> Bool {
        try meet("copyExtendedAttributes", path)
        return try base.copyExtendedAttributes(ofFileAt: path, to: file)
    }

    /// See ``FileCoordination/FileSystem``.
    public func makeHardLink(_ path: String, to newPath: String) throws(Errno) {
        try meet("makeHardLink", newPath)
        try base.makeHardLink(path, to: newPath)
    }

    /// Not counted: it cannot fail.
    public func nameFolding(inFolder path: String) -> NameFolding { base.nameFolding(inFolder: path) }

    /// See ``FileCoordination/FileSystem``.
    public func lock(_ file: OpenFile, exclusive: Bool, wait: Bool) throws(Errno) {
        try meet("lock", file)
        try base.lock(file, exclusive: exclusive, wait: wait)
    }

    /// See ``FileCoordination/FileSystem``.
    public func unlock(_ file: OpenFile) throws(Errno) {
        try meet("unlock", file)
        try base.unlock(file)
    }

    /// See ``FileCoordination/FileSystem``. It cannot fail, and is not counted.
    public func fileSystemType(at path: String) -> FileSystemType { base.fileSystemType(at: path) }
}
