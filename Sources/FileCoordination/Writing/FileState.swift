import CPlatform

/// What a file held when it was looked at: its bytes by length and SHA-256 (FIPS 180-4), or that there was none.
///
/// Two states are equal when the bytes were, whatever the dates, owner, inode or number of names. A file that was only
/// touched, or replaced by one with the same bytes, is unchanged: nobody's work is lost by writing over it. Dates would say
/// both too much and too little, since clocks of file systems tick every few milliseconds and on some every two seconds.
public struct FileState: Hashable, Sendable {
    /// The length in bytes, or nil if there was no file.
    public let size: Int64?
    private let digest: [UInt8]

    /// There was no file.
    public static let absent = FileState(size: nil, digest: [])

    /// Of a file with these bytes. Time grows with their number: about 1 GB a second with SHA instructions.
    public init(of bytes: [UInt8]) {
        var digest = ContentDigest()
        bytes.withUnsafeBytes { digest.add($0) }
        self.init(size: Int64(bytes.count), digest: digest.finished())
    }

    /// Of a file whose length and SHA-256 are known from elsewhere.
    package init(size: Int64?, digest: [UInt8]) {
        self.size = size
        self.digest = digest
    }
}

extension CoordinatedFile {
    /// The state of the file, read in bounded memory; ``FileState/absent`` if there is none.
    public func state(at path: String) throws(FileCoordinationError) -> FileState {
        var digest = ContentDigest()
        do {
            let size = try files.readPieces(of: path, size: 1 << 18, followLinks: followLinks) { piece in
                digest.add(piece)
                return true
            }
            return FileState(size: size, digest: digest.finished())
        } catch {
            guard error.code == .noSuchFile else { throw error }
            return .absent
        }
    }
}

/// A SHA-256 in progress.
private struct ContentDigest {
    private var hash = cplatform_sha256()

    init() { cplatform_sha256_init(&hash) }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        cplatform_sha256_update(&hash, bytes.baseAddress, bytes.count)
    }

    mutating func finished() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        cplatform_sha256_final(&hash, &digest)
        return digest
    }
}
