extension ConflictGrammar {
    /// `lib/model/folder_sendrecv.go`, `conflictName`: the last extension is kept, and `.bashrc` is one as a whole. The
    /// device is the one whose version won, seven characters of base 32; it is empty if unknown, and was not written before
    /// 2017.
    static let syncthing = [
        ConflictGrammar(
            .strong, .syncthing,
            tags: [
                ".sync-conflict-{YYYYMMDD}-{hhmmss}-{base32:7}", ".sync-conflict-{YYYYMMDD}-{hhmmss}-",
                ".sync-conflict-{YYYYMMDD}-{hhmmss}",
            ]
        ).with(\.takesDotfiles, true)
    ]
}
