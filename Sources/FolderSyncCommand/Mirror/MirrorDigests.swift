import FileCoordination
import LLVSCore

/// Hashes of files, remembered while nothing about a file shows that it changed.
struct MirrorDigests {
    private struct Known {
        let file: FileAttributes
        let digest: Digest
    }

    /// A file that was changed less than this before it was read may be changed again without a sign: clocks of file systems
    /// tick every two seconds on some. In milliseconds.
    private static let coarsestTick: Int64 = 2_500

    private var known: [RelativePath: Known] = [:]

    mutating func digest(of file: FileContent, at path: RelativePath, now: Int64) throws -> Digest {
        if let known = known[path], known.file == file.seen { return known.digest }
        let digest = try file.content(onRead: { _ in }).digest()
        let changed = max(file.seen.modified, file.seen.changed) / 1_000_000
        known[path] = changed <= now - Self.coarsestTick ? Known(file: file.seen, digest: digest) : nil
        return digest
    }

    /// Forgets all others.
    mutating func keep(_ paths: Set<RelativePath>) {
        if known.count > paths.count { known = known.filter { paths.contains($0.key) } }
    }
}
