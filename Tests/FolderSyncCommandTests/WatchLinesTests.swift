import FileCoordination
import Foundation
import TestSupport
import Testing

@testable import FolderSyncCommand

@Suite("Watch lines")
struct WatchLinesTests {
    @Test("Every character comes back from JSON, and no reader sees a line end in one")
    func charactersComeBack() throws {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x2ff, 0x2000...0x20ff, 0xd700...0xd7ff, 0xe000...0xe0ff, 0xfe00...0x100ff,
        ]
        for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
            let text = "a\(Character(scalar))\(Character(scalar))b"
            var lines = JSONLines()
            lines.begin()
            lines.member("k", text)
            lines.member("b", true)
            lines.end()
            let object = try JSONSerialization.jsonObject(with: Data(lines.bytes)) as? [String: Any]
            // As bytes: Swift would call composed and decomposed letters equal.
            let back = try #require(object?["k"] as? String)
            #expect(back.utf8.elementsEqual(text.utf8), "U+\(scalar.value)")
            let printed = String(decoding: lines.bytes.dropLast(), as: UTF8.self)
            #expect(!printed.contains { $0.isNewline })
        }
    }

    private static func event(_ kind: WatchEvent.Kind, _ path: String, isFolder: Bool = false) -> WatchEvent {
        WatchEvent(kind, path: path, isDirectory: isFolder)
    }

    @Test("Rescans and polling say why")
    func reasons() throws {
        let folder = try TemporaryFolder()
        let lines = WatchLines(try WatchedPlace(folder.path))
        let events = [
            Self.event(.rescan(.backlog), folder("a"), isFolder: true),
            Self.event(.rescan(.eventsLost), folder.path, isFolder: true),
            Self.event(.polling(.watching(folder.path, .noSpace)), folder.path, isFolder: true),
            Self.event(.watching, folder.path, isFolder: true),
        ]
        let json = String(decoding: lines.json(events), as: UTF8.self).split(separator: "\n")
        #expect(json.count == 4)
        #expect(
            json[0]
                == #"{"event":"rescan","path":"\#(folder("a"))","isFolder":true,"reason":"more changes than were read"}"#
        )
        #expect(json[1].contains(#""event":"rescan","path":"\#(folder.path)""#))
        #expect(json[1].contains(#""reason":"events were lost""#))
        #expect(json[2].hasPrefix(#"{"event":"polling","reason":"cannot watch"#))
        #expect(json[2].contains("max_user_watches"))
        #expect(json[3] == #"{"event":"watching"}"#)
        let text = String(decoding: lines.text(events), as: UTF8.self).split(separator: "\n")
        #expect(text.count == 2)
        #expect(text[0].hasPrefix("rescan   \(folder("a"))/  (more changes than were read"))
        #expect(lines.notes(events, folders: 3).count == 2)
        #expect(lines.notes(events, folders: 3)[0].hasPrefix("only looking again and again: cannot watch"))
    }

    @Test("The root of the file system is spelled with its slash, and what is in it with one")
    func rootOfEverything() throws {
        let lines = WatchLines(try WatchedPlace("//"))
        #expect(lines.place.path == "/")
        let json = lines.json([Self.event(.modified, "/a"), Self.event(.removed, "/")])
        #expect(
            String(decoding: json, as: UTF8.self)
                == "{\"event\":\"changed\",\"path\":\"/a\"}\n{\"event\":\"removed\",\"path\":\"/\"}\n")
        #expect(String(decoding: lines.text([Self.event(.modified, "/a")]), as: UTF8.self) == "changed  /a\n")
    }
}
