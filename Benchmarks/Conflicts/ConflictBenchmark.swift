import FileCoordination
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder that is read for conflict copies, and the same folder only read.
struct ConflictBenchmark {
    enum Names: String, CaseIterable {
        /// As people, cameras and programs name files; one in a hundred has a number in parentheses.
        case ordinary
        /// All with a number at the end, which could be a mark.
        case numbered
        /// The same with the number in parentheses, where most marks end.
        case parentheses
        /// A year in parentheses.
        case years
        /// Words in parentheses.
        case words
        /// Letters beyond ASCII.
        case foreign
        /// The same with a number at the end.
        case foreignNumbered
        /// One in a hundred is a copy beside its original.
        case copies
    }

    private static let words = ["draft", "final", "copy for Anna", "scan", "v2", "old", "EN", "signed by Max"]

    let folder: String
    let names: Names
    let count: Int

    func run() throws -> Measurement {
        let files = LocalFileSystem()
        for number in 0..<count {
            try files.close(files.open("\(folder)/\(name(number))", [.write, .create]))
        }
        let source = SiblingConflictSource()
        var found = 0
        let result = try Measurement.median("conflict listing, \(names.rawValue)", count: count, rounds: 9) { _ in
            found = try source.report(at: folder).conflicts.count
        } floor: { _ in
            guard readNames() == count else { throw CocoaError(.fileReadUnknown) }
        }
        print("\(found) found")
        return result
    }

    private func name(_ number: Int) -> String {
        switch names {
        case .ordinary: ordinary(number)
        case .numbered: "IMG_\(number) \(number % 90 + 10).JPG"
        case .parentheses: "\(ordinary(number).dropLast(4)) (\(number % 9 + 1)).pdf"
        case .years: "Report \(number) (\(1990 + number % 40)).pdf"
        case .words: "notes \(number) (\(Self.words[number % Self.words.count])).md"
        case .foreignNumbered: "Übersicht \(number) \(number % 90 + 10).md"
        case .foreign: "Übersicht – résumé \(number) 日本語.md"
        case .copies:
            number % 100 == 99
                ? "\(ordinary(number - 1).dropLast(4)).sync-conflict-20260925-140233-ABCDEFG.pdf" : ordinary(number)
        }
    }

    private func ordinary(_ number: Int) -> String {
        let words = ["report", "meeting-notes", "Invoice ACME", "budget_2024", "Chapter", "IMG", "scan-final", "todo"]
        let word = words[number % words.count]
        switch number % 100 {
        case 7: return "\(word) \(number) (2).pdf"
        case 13: return "\(word)-\(number) v1.2 (final).pdf"
        default: return "\(word)-\(number).pdf"
        }
    }

    /// By the C functions, with nothing kept.
    private func readNames() -> Int {
        guard let stream = opendir(folder) else { return 0 }
        defer { closedir(stream) }
        var valid = 0
        while let entry = readdir(stream) {
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return 0 }
            let start = UnsafeRawPointer(entry).advanced(by: offset)
            let name = UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
            if name.first == UInt8(ascii: "."), name.count <= 2 { continue }
            if name.allSatisfy({ $0 < 0x80 }) || String(validating: name, as: UTF8.self) != nil { valid += 1 }
        }
        return valid
    }
}
