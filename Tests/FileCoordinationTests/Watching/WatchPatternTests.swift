import Testing

@testable import FileCoordination

@Suite("Patterns of what is left out")
struct WatchPatternTests {
    private func matches(_ pattern: String, _ path: String, isFolder: Bool? = false) throws -> Bool {
        let place = try #require(FilePlace(path))
        let folder = place.folder == "." ? "" : place.folder
        return try #require(WatchPattern(pattern)).matches(place.name, in: folder, isFolder: isFolder)
    }

    @Test(arguments: [
        ("*.log", "a.log"), ("*.log", "x/y/.log"), ("node_modules", "a/b/node_modules"), ("a?c", "abc"),
        ("a?c", "a\u{E9}c"),
        ("?", "\u{1F600}"), ("[a-c]x", "bx"), ("[!a-c]x", "dx"), ("[^a-c]x", "dx"), ("[]x]", "]"), ("[a", "[a"),
        ("a\\*", "a*"),
        ("*", ".hidden"), ("*a*b*", "xxaxxbxx"), ("/build", "build"), ("./build", "build"),
        ("docs/*.pdf", "docs/a.pdf"),
        ("**/node_modules", "node_modules"), ("**/node_modules", "a/b/node_modules"), ("a/**/b", "a/b"),
        ("a/**/b", "a/x/y/b"), ("a/**", "a/x"), ("a/**", "a/x/y"), ("**", "a/b"), ("a//b", "a/b"),
        ("line\nbreak", "line\nbreak"),
    ])
    func thesePathsMatch(pattern: String, path: String) throws { #expect(try matches(pattern, path)) }

    @Test(arguments: [
        ("*.log", "a.log.txt"), ("node_modules", "node_modules2"), ("a?c", "ac"), ("[a-c]x", "dx"), ("[!a-c]x", "ax"),
        ("a\\*", "ab"), ("/build", "a/build"), ("docs/*.pdf", "docs/x/a.pdf"), ("docs/*.pdf", "a/docs/x.pdf"),
        ("**/cache/x", "cache/y/x"), ("a/**/b", "b"), ("a/**", "a"), ("A.log", "a.log"), ("build/", "build"),
        ("*a*b", "ba"),
    ])
    func thesePathsDoNot(pattern: String, path: String) throws { #expect(try !matches(pattern, path)) }

    @Test
    func aSlashAtTheEndMeansFoldersOnly() throws {
        #expect(try matches("build/", "a/build", isFolder: true))
        #expect(try matches("a/b*/", "a/build", isFolder: true))
        #expect(try !matches("build/", "build", isFolder: nil))
        #expect(try matches("build", "build", isFolder: nil))
        #expect(WatchPattern("") == nil && WatchPattern("/") == nil)
    }

    @Test
    func manyStarsTakeNoTimeWithoutEnd() throws {
        let name = String(repeating: "a", count: 255)
        #expect(try !matches(String(repeating: "*a", count: 100) + "b", name))
    }

    private func filter(_ change: (inout WatchOptions) -> Void) -> WatchFilter {
        var options = WatchOptions()
        change(&options)
        return WatchFilter(options)
    }

    @Test
    func extensionsAreAboutFilesAndWithoutCase() {
        let filter = filter { $0.extensions = ["md", ".TXT", "tar.gz"] }
        for name in ["a.md", "A.MD", "b.txt", "c.tar.gz", ".Report.md.icloud", "x.md.nextcloud"] {
            #expect(!filter.ignores(name, in: "", kind: .file))
        }
        for name in ["a.mdx", "md", ".md", "c.gz", "a.md.png", "photo.jpg.nextcloud"] {
            #expect(filter.ignores(name, in: "", kind: .file))
            #expect(!filter.ignores(name, in: "", kind: .directory))
            #expect(!filter.ignores(name, in: "", kind: nil))
        }
        #expect(filter.ignores("link", in: "", kind: .link))
    }

    @Test
    func temporaryFilesAreLeftOutByDefaultAndFoldersOfThatNameAreNot() {
        let standard = filter { _ in }
        #expect(standard.ignores("a.part", in: "", kind: .file) && standard.ignores(".stversions", in: "", kind: nil))
        #expect(!standard.ignores("a.part", in: "", kind: .directory) && !standard.ignores("a.part", in: "", kind: nil))
        #expect(!standard.ignores("photo.jpg.nextcloud", in: "", kind: .file))
        let off = filter { $0.filtersTemporaryNames = false }
        #expect(!off.ignores("a.part", in: "", kind: .file) && !off.ignores(".stversions", in: "", kind: nil))
        #expect(off.ignores(TemporaryName.fresh().name, in: "", kind: .file))
    }

    @Test
    func aClosureIsAskedForThePathBelowTheRoot() {
        let filter = filter { $0.ignores = { $0 == "a/b" } }
        #expect(filter.ignores("b", in: "a", kind: nil) && !filter.ignores("b", in: "", kind: nil))
    }
}
