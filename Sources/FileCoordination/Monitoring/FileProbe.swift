/// Looks at size and times of one file (`stat(2)`, links followed).
///
/// A file that is not there is something to see, too, as long as its folder is; without the folder the place cannot be looked
/// at: a disk that is away deletes nothing. A change that keeps the size within the granularity of the file system's clock
/// goes unseen.
public struct FileProbe: ChangeProbe {
    private let path: String
    private let files: any FileSystem

    /// A probe of the file at `path`.
    public init(_ path: String, files: any FileSystem = .local) {
        self.path = path
        self.files = files
    }

    /// - Throws: ``FileCoordinationError``, or `CancellationError`.
    public func fingerprint() async throws -> ChangeFingerprint {
        try await BlockingCall.run { try look() }
    }

    private func look() throws(FileCoordinationError) -> ChangeFingerprint {
        var builder = ChangeFingerprint.Builder()
        do { builder.add(try files.attributes(at: path, followLinks: true)) } catch {
            guard error == .noSuchFile, let place = FilePlace(path) else { throw .reading(path, error) }
            // Throws if the folder is not there.
            _ = try naming(place.folder, FileCoordinationError.listing) { () throws(Errno) in
                try files.attributes(at: place.folder, followLinks: true)
            }
        }
        return builder.finish()
    }
}
