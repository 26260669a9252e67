import FileCoordination

extension StoreError.Code {
    /// A folder without a snapshot, or with other things in it.
    public static let notASnapshot = StoreError.Code(rawValue: "notASnapshot")
    /// A file of a snapshot is missing or does not verify.
    public static let damagedSnapshot = StoreError.Code(rawValue: "damagedSnapshot")
}

extension StoreError {
    /// That a chunk of a snapshot is not what its manifest says.
    static func damagedSnapshot(_ problem: String, path: String? = nil) -> StoreError {
        StoreError(
            .damagedSnapshot, "the snapshot \(problem)",
            remedy: "take it again from another copy, or restore an older snapshot", path: path)
    }

    /// What a failure with a file means for the store.
    init(_ error: FileCoordinationError) {
        let code: Code =
            switch error.code {
            case .noSpace, .quotaExceeded: .noSpace
            case .readOnlyFileSystem, .notPermitted: .readOnly
            default: .inputOutput
            }
        self.init(code, error.what, remedy: error.remedy, cause: error.errno.map { "\($0)" })
    }

    /// Runs `body`, whose failures with files become the store's.
    static func ofFiles<Result>(_ body: () throws(FileCoordinationError) -> Result) throws(StoreError) -> Result {
        do throws(FileCoordinationError) { return try body() } catch { throw StoreError(error) }
    }

    /// Runs `body`, whose error numbers become the store's errors by way of `describe`.
    static func ofCall<Result>(
        _ path: String, _ describe: (String, Errno) -> FileCoordinationError, _ body: () throws(Errno) -> Result
    ) throws(StoreError) -> Result {
        do throws(Errno) { return try body() } catch { throw StoreError(describe(path, error)) }
    }
}
