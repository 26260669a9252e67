import Foundation
import LLVSCore

/// A process that saves into a store, to be one of many and to be killed.
///
///     LiveTestSaver save sqlite|files STORE NAME COUNT   saves NAME/1 … NAME/COUNT, a version each, and reads each back
///     LiveTestSaver loop sqlite|files STORE NAME         saves NAME/1, NAME/2 … and prints each version's id when it is saved
///     LiveTestSaver read sqlite|files STORE              reads every value of the head, and prints how many
@main
struct LiveTestSaver {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            switch (words.first, words.count) {
            case ("save", 5): try await save(try open(words[1], words[2]), words[3], count: Int(words[4]) ?? 0)
            case ("loop", 4): try await save(try open(words[1], words[2]), words[3], count: nil)
            case ("read", 3): try read(try open(words[1], words[2]))
            default:
                say("usage: save KIND STORE NAME COUNT, loop KIND STORE NAME, read KIND STORE", to: .standardError)
                exit(2)
            }
        } catch {
            say("\((error as? StoreError)?.code.rawValue ?? "other"): \(error)", to: .standardError)
            exit(1)
        }
    }

    private static func open(_ kind: String, _ path: String) throws -> Store {
        kind == "files" ? Store(storage: try FileStorage.open(at: path), path: path) : try Store.open(at: path)
    }

    /// Without a count: until it is killed.
    private static func save(_ store: Store, _ name: String, count: Int?) async throws {
        let coordinator = StoreCoordinator(store: store)
        var number = 0
        while number != count {
            number += 1
            let value = Value(id: try Value.ID("\(name)/\(number)"), "\(number)")
            let version = try await coordinator.save([.insert(value)])
            // What others saved meanwhile is in the current version, and what this one saved too.
            let current = try await coordinator.current()
            guard try store.bytes(of: value.id, at: current) == Array("\(number)".utf8) else {
                throw StoreError(.damaged, "\(value.id) is not in the current version", remedy: "look for the reason")
            }
            if count == nil { say(version.id.description, to: .standardOutput) }
        }
        try store.close()
        say("done", to: .standardOutput)
    }

    private static func read(_ store: Store) throws {
        var count = 0
        for head in try store.heads() {
            for id in try store.valueIDs(at: head.id) where try store.bytes(of: id, at: head.id) != nil { count += 1 }
        }
        say("\(count)", to: .standardOutput)
        // The reader looks at this process's memory before it lets it go.
        _ = FileHandle.standardInput.readDataToEndOfFile()
    }

    private static func say(_ line: String, to handle: FileHandle) { handle.write(Data((line + "\n").utf8)) }
}
