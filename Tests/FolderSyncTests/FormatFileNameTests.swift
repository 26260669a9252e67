import LLVSCore
import Testing

@testable import FolderSync

@Suite("Names in a shared folder")
struct FormatFileNameTests {
    private static let hash = "abcdefghijklmnopqrstuvwxyz234567"
    private static let lane = "caireeyuculbogazdinryhi6d4"
    private static let entries = "e-1-20-\(hash).llvs"
    private static let piece = "v-\(hash).llvs"

    private static let ours = [
        "aaaqeayeaudaocajbifqydiob4.store", entries, "e-9999999999999999-9999999999999999-\(hash).llvs", piece,
        "p-abcdefghijklmnop-1-9999999-\(hash).llvs", "r-\(hash).llvs",
    ]

    private func stranger(_ text: String) -> FolderFileName.Stranger? {
        if case .stranger(_, let stranger) = FolderFileName(text) { stranger } else { nil }
    }

    @Test("names of ours are read and printed the same", arguments: ours + ["~syncthing~fs-\(lane).tmp"])
    func roundTrip(_ text: String) {
        #expect(stranger(text) == nil)
        #expect(FolderFileName(text).text == text)
    }

    @Test("each sort of name is read as what it is")
    func sorts() throws {
        let hash = try #require(NameHash(utf8: Self.hash.utf8))
        #expect(FolderFileName("aaaqeayeaudaocajbifqydiob4.store") == .card(try FormatSamples.store()))
        #expect(FolderFileName(Self.entries) == .entries(from: 1, to: 20, hash: hash))
        #expect(FolderFileName(Self.piece) == .piece(hash))
        #expect(
            FolderFileName("p-abcdefghijklmnop-3-4-\(Self.hash).llvs")
                == .snapshot(set: "abcdefghijklmnop", index: 3, count: 4, hash: hash))
        #expect(FolderFileName("r-\(Self.hash).llvs") == .note(hash))
        #expect(FolderFileName("~syncthing~fs-\(Self.lane).tmp") == .temporary(Self.lane))
    }

    @Test(
        "a name below the root is at most 100 characters of a-z, 0-9, dot, dash, with no dot at either end",
        arguments: ours)
    func shape(_ text: String) {
        let path = text.hasSuffix(".store") ? text : "\(Self.lane)/\(text)"
        #expect(path.utf8.count <= 100)
        #expect(text.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789._-".contains($0) })
        #expect(!text.hasPrefix(".") && !text.hasSuffix(".") && !text.hasPrefix("~") && !text.hasSuffix("~"))
        let reserved = ["con", "prn", "aux", "nul", "com", "lpt"]
        #expect(!reserved.contains(String(text.prefix { $0 != "." && !$0.isNumber })))
    }

    @Test(
        "a name that is not exactly what is printed is a stranger's",
        arguments: [
            "", ".", "..", "e", "e-", ".llvs", ".store", "e-1-20-.llvs", "e-1-20-\(hash)", "e-1-20-\(hash).LLVS",
            "E-1-20-\(hash).llvs", "e-01-20-\(hash).llvs", "e-1-020-\(hash).llvs", "e-0-20-\(hash).llvs",
            "e-+1-20-\(hash).llvs", "e--1-20-\(hash).llvs", "e-1--20-\(hash).llvs", "e-20-1-\(hash).llvs",
            "e-1-10000000000000000-\(hash).llvs", "e-1-18446744073709551617-\(hash).llvs", "e-１-20-\(hash).llvs",
            "e-1-20-1-\(hash).llvs", "e-1-\(hash).llvs", "e-1-20-\(hash)a.llvs", "e-1-20-\(hash.dropLast()).llvs",
            "e-1-20-\(hash.uppercased()).llvs", "e-1-20-\(hash.dropLast())1.llvs", "e-1-20-\(hash).llvs ",
            " e-1-20-\(hash).llvs", "e-1-20-\(hash).llvs\n", "e-1-20-\(hash).llvs\0", "e-1-20-\(hash.dropLast())é.llvs",
            "v-\(hash)-1.llvs", "v\(hash).llvs", "v-1-\(hash).llvs", "x-\(hash).llvs", "-\(hash).llvs", "\(hash).llvs",
            "p-abcdefghijklmnop-0-4-\(hash).llvs", "p-abcdefghijklmnop-5-4-\(hash).llvs", "p-abc-1-4-\(hash).llvs",
            "p-abcdefghijklmnop-1-10000000-\(hash).llvs", "p-abcdefghijklmno1-1-4-\(hash).llvs",
            "aaaqeayeaudaocajbifqydiob5.store", "AAAQEAYEAUDAOCAJBIFQYDIOB4.store", "aaaqeayeaudaocajbifqydiob.store",
            "aaaqeayeaudaocajbifqydiob4.store2", "aaaqeayeaudaocajbifqydiob4", "../\(piece)", "a/\(piece)",
        ])
    func strangers(_ text: String) {
        #expect(stranger(text) == .unknown)
        #expect(FolderFileName(text).text == text)
    }

    @Test("copies that sync services make of a file of ours are strangers worth reading", arguments: [entries, piece])
    func conflictCopies(_ name: String) {
        let base = name.dropLast(5)
        let copies = [
            "\(base) (A's conflicted copy 2026-05-01).llvs", "\(base).sync-conflict-20260501-101112-ABCDEFG.llvs",
            "\(base) (conflicted copy 2026-05-01 101112).llvs", "\(base)-LAPTOP.llvs", "\(base) 2.llvs",
            "\(base) (1).llvs", "Copy of \(name)", "\(base)_conflict-20260501-101112.llvs", "\(name).1", "\(name)~",
            "\(base) (Case Conflict).llvs", "\(name).aBcD1234.partial", "\(name).bak",
        ]
        for copy in copies { #expect(stranger(copy) == .unknown, "\(copy)") }
    }

    @Test(
        "what systems and sync services leave behind is junk and never opened",
        arguments: [
            ".DS_Store", "._\(entries)", "._.DS_Store", "desktop.ini", "Desktop.ini", "Thumbs.db", "thumbs.db",
            "Icon\r",
            "Icon\u{F00D}", ".directory", "@eaDir", ".stfolder", ".stfolder (1)", ".stversions", ".stignore",
            ".dropbox",
            ".dropbox.attr", ".dropbox.cache", ".tmp.drivedownload", ".tmp.driveupload", ".sync", ".sync_0123.db",
            ".syncthing.\(entries).tmp", "~syncthing~\(entries).tmp", ".nextcloudsync.log", ".~\(piece).1a2b",
            ".owncloudsync.log", ".Trash-1000", "$RECYCLE.BIN", "System Volume Information", ".fseventsd",
            ".Spotlight-V100", ".fuse_hidden0000001", ".nfs000000000001", "lost+found",
        ])
    func junk(_ text: String) {
        #expect(stranger(text) == .junk)
        #expect(FolderFileName(text).text == text)
    }

    @Test("an iCloud stub of a file of ours names that file", arguments: ours)
    func stubs(_ text: String) {
        #expect(stranger(".\(text).icloud") == .stub(of: FolderFileName(text)))
        #expect(stranger("\(text).icloud") == .unknown)
        #expect(stranger(".\(text)x.icloud") == .unknown)
        #expect(stranger("..\(text).icloud.icloud") == .unknown)
    }

    @Test("temporary names are new each time, are recognised, and sync services skip them")
    func temporaries() {
        let names = (0..<100).map { _ in FolderFileName.makeTemporary() }
        #expect(Set(names).count == 100)
        for name in names {
            #expect(FolderFileName(name.text) == name)
            #expect(name.text.hasPrefix("~syncthing~") && name.text.hasSuffix(".tmp"))
        }
    }

    @Test("every text is some name and is printed as it was", arguments: [UInt64](1...20))
    func anyText(seed: UInt64) {
        var random = FormatRandom(seed: seed)
        let alphabet = [UInt8]("e-v-p-r-0123456789abcdefghijklmnopqrstuvwxyz234567..llvs.store~_É".utf8)
        for _ in 0..<500 {
            var text = [UInt8](Self.ours.randomElement(using: &random, or: "").utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                let byte = alphabet.randomElement(using: &random, or: 0)
                if place < text.count, Bool.random(using: &random) {
                    text[place] = byte
                } else {
                    text.insert(byte, at: place)
                }
            }
            let name = String(decoding: text, as: UTF8.self)
            #expect([UInt8](FolderFileName(name).text.utf8) == [UInt8](name.utf8), "seed \(seed)")
        }
    }
}

extension Array {
    fileprivate func randomElement(using generator: inout FormatRandom, or other: Element) -> Element {
        randomElement(using: &generator) ?? other
    }
}
