import Foundation
import Testing

@testable import FolderSync

@Suite("SharedFolderFormat.md")
struct FormatDocumentTests {
    @Test(
        "its test vectors are those of the fixture folder",
        arguments: [
            "smallest", "chain.a.0", "chain.a.1", "chain.a.2", "version.1.id", "version.1.bytes", "version.1.changes",
            "note.retired", "note.adopted", "note.carried", "sealed", "sealed.name",
        ])
    func vectors(_ name: String) throws {
        #expect(try document().replacing("\n", with: "").contains(try FormatSamples.text(name)))
    }

    @Test("its card is the fixture folder's")
    func card() throws {
        #expect(try document().contains(String(decoding: try FormatSamples.vector("card"), as: UTF8.self)))
    }

    private func document() throws -> String {
        let root = FormatSamples.fixtures.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Sources/FolderSync/FolderSync.docc/SharedFolderFormat.md")
        return try String(contentsOf: file, encoding: .utf8)
    }
}
