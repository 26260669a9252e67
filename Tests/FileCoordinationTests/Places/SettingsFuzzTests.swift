import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Broken settings")
struct SettingsFuzzTests {
    private static let texts = [
        #"<configuration><!-- c --><folder id="a" path='/s &amp; &#xe4;'><paused>true</paused></folder></configuration>"#,
        "[Accounts]\n0\\Folders\\1\\localPath=\"/a\\xe4,\\\\b\"\r\n0\\url=https://h/x\n[sync]\npath = /p\n",
        #"{"personal": {"path": "/d", "n": [1, 2.5e3, null,]}, /* c */ "shared_folders": [{"dir": "/x"}]} // end"#,
        "22 1 0:1 / /a\\040b rw shared:1 - fuse.rclone nas: rw\n23 1 0:2 / / ro - fuse pCloud.fs rw\n",
    ]

    /// Everything that takes foreign text, over the bytes of one file.
    private func readAll(_ bytes: [UInt8]) {
        _ = MountTable.parse(bytes)
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        do { _ = try SyncthingSettings.folders(in: text) } catch {
            #expect((1...bytes.count + 1).contains(error.line))
        }
        _ = QtClientSettings.folders(in: text)
        _ = INIText(text, continues: true)
        _ = QtSettingsValue.decode(text)
        do { _ = try JSONSerialization.jsonObject(with: Data(RelaxedJSON.strict(text))) } catch {}
    }

    @Test func settingsCutAnywhereNeverTrap() {
        for text in Self.texts {
            let bytes = Array(text.utf8)
            for count in 0...bytes.count { readAll(Array(bytes[..<count])) }
        }
    }

    @Test func settingsWithBytesChangedNeverTrap() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("SettingsFuzzTests seed \(seed)")
        var random = SeededRandom(seed: seed)
        let marks = Array("<>&;/\"'=[]{}\\,-!?#*\n\r x0\u{E4}\u{0}".utf8)
        for round in 0..<800 {
            var bytes = Array(Self.texts[round % Self.texts.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let mark = marks[Int.random(in: 0..<marks.count, using: &random)]
                if Bool.random(using: &random) { bytes[place] = mark } else { bytes.insert(mark, at: place) }
            }
            readAll(bytes)
        }
    }
}
