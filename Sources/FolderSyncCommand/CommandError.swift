import FileCoordination
import FolderSync
import LLVSCore

/// What a command itself refuses or cannot do. Exit code 1.
struct CommandError: Error, CustomStringConvertible {
    /// What happened, in a sentence without its end.
    let what: String
    /// What a person can do about it.
    let remedy: String

    init(_ what: String, remedy: String) {
        self.what = what
        self.remedy = remedy
    }

    var description: String { "\(what); \(remedy)" }
}

/// The line for standard error: "error: what; what to do".
func errorLine(_ error: any Error) -> String {
    let text =
        switch error {
        case is CancellationError: "interrupted; run the command again to finish it"
        case let error as CommandError: error.description
        case let error as StoreError: error.description
        case let error as FolderSyncError: error.description
        case let error as FileCoordinationError: error.description
        default: "\(error); try again, and report it if it stays"
        }
    return "error: " + printable(text)
}
