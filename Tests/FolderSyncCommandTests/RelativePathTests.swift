import LLVSCore
import Testing

@testable import FolderSyncCommand

@Suite("Relative path")
struct RelativePathTests {
    @Test(
        "Ordinary names are paths",
        arguments: ["a", "a/b/c", ".hidden", "a/..b", "...", "é/ü", "a b", "a\nb", "~", "-x"])
    func ordinary(name: String) throws {
        #expect(try #require(RelativePath(try Value.ID(name))).text == name)
    }

    @Test(
        "Names that could lead out, or that no file can have, are none",
        arguments: [
            "../x", "..", ".", "a/../b", "a/./b", "/x", "a//b", "a/", "/", "a\0b", String(repeating: "x", count: 256),
            "a/" + String(repeating: "é", count: 128),
        ])
    func unsafe(name: String) throws {
        let id = try Value.ID(name)
        #expect(RelativePath(id) == nil)
        #expect(RelativePath.problem(of: id) != nil)
    }

    @Test("Folders are those that safe ids lie in")
    func folders() throws {
        let folders = FolderNames(try ["a/b/c", "x", "y/../z"].map { try Value.ID($0) })
        #expect(folders.contains("a"))
        #expect(folders.contains("a/b"))
        #expect(!folders.contains("a/b/c"))
        #expect(!folders.contains("x"))
        #expect(!folders.contains("y"))
    }
}
