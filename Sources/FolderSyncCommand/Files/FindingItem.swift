import FolderSync

/// What a verification found of a file, for programs and for people.
struct FindingItem: Encodable {
    /// See `FolderVerification.Kind`.
    let kind: String
    let file: String
    let reason: String
    /// Who could mend it.
    let remedy: String?

    init(_ finding: FolderVerification.Finding, remedy: String? = nil) {
        kind = finding.kind.rawValue
        file = finding.file
        reason = finding.reason
        self.remedy = remedy
    }

    var line: String {
        "\(kind) \(printable(file)): \(printable(reason))" + (remedy.map { "; \($0)" } ?? "")
    }
}
