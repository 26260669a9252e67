import FileCoordination
import Foundation

/// A process that writes, to be killed, traced, run as another user and under another umask.
///
///     LiveTestWriter write|create PATH TEXT [full|content|fast]
///     LiveTestWriter loop PATH [full|content|fast]   writes 1, 2, 3 … and prints each number when it is written
///     LiveTestWriter hold PATH LOCKFOLDER            prints "held" inside an update and stays there
@main
struct LiveTestWriter {
    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        do {
            let durability = takeDurability(from: &words)
            switch (words.first, words.count) {
            case ("write", 3): try CoordinatedFile(durability: durability).write(Array(words[2].utf8), to: words[1])
            case ("create", 3):
                try CoordinatedFile(durability: durability).write(Array(words[2].utf8), to: words[1], ifExists: .fail)
            case ("loop", 2): try loop(words[1], durability)
            case ("hold", 3): try hold(words[1], words[2])
            default:
                say("usage: write|create PATH TEXT, loop PATH, hold PATH LOCKFOLDER", to: .standardError)
                exit(2)
            }
        } catch {
            say("\((error as? FileCoordinationError)?.code.rawValue ?? "other"): \(error)", to: .standardError)
            exit(1)
        }
    }

    private static func takeDurability(from words: inout [String]) -> FileDurability {
        let known: [String: FileDurability] = ["full": .full, "content": .content, "fast": .fast]
        guard let last = words.last, let durability = known[last] else { return .full }
        words.removeLast()
        return durability
    }

    /// Each content is its number and as many letters as follow from it, so that a mixture is seen.
    private static func loop(_ path: String, _ durability: FileDurability) throws {
        let file = CoordinatedFile(durability: durability)
        var number = 0
        do { number = try Int(String(decoding: file.read(at: path).prefix { $0 != 32 }, as: UTF8.self)) ?? 0 } catch {
            // The first of all.
        }
        while true {
            number += 1
            let text = "\(number) " + String(repeating: "x", count: number * 7919 % 60_000)
            try file.write(Array(text.utf8), to: path)
            say("\(number)", to: .standardOutput)
        }
    }

    private static func hold(_ path: String, _ locks: String) throws {
        try CoordinatedFile(durability: .fast, lockFolder: locks).update(at: path) { _ in
            say("held", to: .standardOutput)
            _ = FileHandle.standardInput.readDataToEndOfFile()
            return .keep
        }
    }

    private static func say(_ line: String, to handle: FileHandle) { handle.write(Data((line + "\n").utf8)) }
}
