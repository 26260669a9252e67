import Testing

@testable import FolderSync

@Suite("Errors of FolderSync")
struct FormatErrorWordingTests {
    @Test("an error says what happened, where, why, and what to do")
    func wording() {
        let error = FolderSyncError(
            .readOnly, "the folder cannot be written to", remedy: "change its permissions", path: "/shared",
            cause: "Read-only file system")
        #expect(
            error.description
                == "the folder cannot be written to (/shared: Read-only file system); change its permissions")
        #expect("\(error)" == error.description)
    }

    @Test("without a path or cause there are no brackets")
    func short() {
        let error = FolderSyncError(.locked, "another copy writes to this lane", remedy: "sync again")
        #expect(error.description == "another copy writes to this lane; sync again")
    }
}
