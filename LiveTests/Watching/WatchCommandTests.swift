import Foundation
import Testing

/// `foldersync watch` under storms: every path comes out of the pipe.
@Suite("Watch command, live", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct WatchCommandLiveTests {
    /// File systems of different kinds, as far as there are.
    private static let places = ["/dev/shm", NSTemporaryDirectory()].filter {
        FileManager.default.isWritableFile(atPath: $0)
    }

    private func write(_ path: String, _ text: String = "x") throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(descriptor >= 0, "\(path)")
        #expect(Foundation.write(descriptor, text, text.utf8.count) == text.utf8.count)
        close(descriptor)
    }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// A folder that goes when the test is done with it.
    private func withFolder(in place: String, _ body: (String) throws -> Void) throws {
        let folder = (place.hasSuffix("/") ? place : place + "/") + "watch-\(UUID().uuidString)"
        try makeFolder(folder)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print("left behind: \(folder)") } }
        try body(folder)
    }

    @Test(arguments: places)
    func everyFileOfAStormOfNewFoldersIsPrinted(place: String) throws {
        try withFolder(in: place) { folder in
            let watch = try WatchOutput(folder)
            var files: [String] = []
            for number in 0..<250 {
                try makeFolder("\(folder)/\(number)/b/c/d")
                for parent in ["", "/b", "/b/c", "/b/c/d"] {
                    for file in 0..<10 {
                        files.append("\(folder)/\(number)\(parent)/\(file)")
                        try write("\(folder)/\(number)\(parent)/\(file)")
                    }
                }
            }
            #expect(files.count == 10_000)
            let isTold = try eventually(within: 60) { watch.count(of: files, isThere: true) == files.count }
            #expect(isTold, "\(watch.count(of: files, isThere: true)) of \(files.count), \(watch.rescanCount) rescans")
        }
    }

    @Test(arguments: places)
    func everyFileOfATreeThatIsMovedInIsPrinted(place: String) throws {
        try withFolder(in: place) { folder in
            try makeFolder("\(folder)/watched")
            var files: [String] = []
            for number in 0..<100 {
                try makeFolder("\(folder)/tree/\(number)")
                for file in 0..<100 {
                    try write("\(folder)/tree/\(number)/\(file)")
                    files.append("\(folder)/watched/tree/\(number)/\(file)")
                }
            }
            let watch = try WatchOutput("\(folder)/watched")
            try FileManager.default.moveItem(atPath: "\(folder)/tree", toPath: "\(folder)/watched/tree")
            let isTold = try eventually(within: 60) { watch.count(of: files, isThere: true) == files.count }
            #expect(isTold, "\(watch.count(of: files, isThere: true)) of \(files.count), \(watch.rescanCount) rescans")
        }
    }

    @Test func everyFinalStateIsPrintedOrCoveredWhenTheReaderHangsDuring70_000Changes() throws {
        try withFolder(in: Self.places[0]) { folder in
            let (there, gone) = try prepare(folder)
            let watch = try WatchOutput(folder)
            watch.pause()
            for number in 0..<50_000 { try write("\(folder)/\(number % 200)/f\(number / 200 % 50)", "\(number)") }
            for path in there { try write(path, "at last") }
            for path in gone { try FileManager.default.removeItem(atPath: path) }
            let memory = try watch.peakMemory()
            watch.resume()
            let known = { watch.countKnown(there, isThere: true, below: folder) }
            let isKnown = try eventually(within: 60) {
                known() == there.count && watch.countKnown(gone, isThere: false, below: folder) == gone.count
            }
            #expect(isKnown, "\(known()) of \(there.count)")
            print("\(watch.lineCount) lines, \(watch.rescanCount) rescans, \(memory) KiB")
            #expect(memory < 100_000)
        }
    }

    /// 200 folders of 75 files. Returns the 15,000 that will be there, a third of them new, and the 5,000 that will be gone.
    private func prepare(_ folder: String) throws -> (there: [String], gone: [String]) {
        var there: [String] = []
        var gone: [String] = []
        for number in 0..<200 {
            try makeFolder("\(folder)/\(number)")
            for file in 0..<75 { try write("\(folder)/\(number)/f\(file)") }
            there += (0..<50).map { "\(folder)/\(number)/f\($0)" } + (75..<100).map { "\(folder)/\(number)/f\($0)" }
            gone += (50..<75).map { "\(folder)/\(number)/f\($0)" }
        }
        return (there, gone)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat"), "processes are found in /proc"))
    func aReaderThatIsKilledEndsIt() throws {
        let directory = try LiveDirectory()
        let script = Process()
        script.executableURL = URL(fileURLWithPath: "/bin/sh")
        script.arguments = [
            "-c", "\"$0\" watch \"$1\" --json | sleep 1000", try FoldersyncProcess.binary().path, directory.url.path,
        ]
        try script.run()
        defer { if script.isRunning { script.terminate() } }
        let children = { try Self.children(of: script.processIdentifier) }
        // A child has the shell's name until it runs its program.
        let haveBegun = try eventually(within: 30) {
            try children().count == 2 && children().contains { $0.name == "sleep" }
        }
        let found = try children()
        try #require(haveBegun, "\(found)")
        let sleeper = try #require(found.first { $0.name == "sleep" })
        kill(sleeper.id, SIGKILL)
        #expect(try eventually(within: 30) { !script.isRunning })
    }

    private static func children(of parent: Int32) throws -> [(id: Int32, name: String)] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).compactMap { id in
            let text: String
            // A process may end meanwhile.
            do { text = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) } catch { return nil }
            guard let end = text.lastIndex(of: ")"), let start = text.firstIndex(of: "(") else { return nil }
            let parts = text[text.index(after: end)...].split(separator: " ")
            guard parts.count > 1, Int32(parts[1]) == parent else { return nil }
            return (id, String(text[text.index(after: start)..<end]))
        }
    }
}
