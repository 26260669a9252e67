public import FileCoordination
public import Foundation

/// A conflict source under test, and the power to make conflicts for it to find.
public protocol ConflictSourceSubject: Sendable {
    /// The source, the same at each call.
    var source: any ConflictSource { get }
    /// The folder that everything is in; empty at first.
    var folder: URL { get }
    /// Makes a file of this text with that many conflict copies, each of another text.
    ///
    /// - Returns: The file.
    func makeFile(_ name: String, _ text: String, copies: [String]) async throws -> URL
    /// Changes what the copy holds, as a sync service would.
    func change(_ conflict: Conflict) async throws
}

/// What every ``ConflictSource`` promises; each check wants a fresh subject.
public enum ConflictSourceContract {
    /// A promise that was not kept.
    public struct Violation: Error, CustomStringConvertible {
        /// Which one.
        public let description: String
    }

    /// A promise, and how to see whether it is kept.
    public struct Promise: Sendable, CustomStringConvertible {
        /// What is promised.
        public let description: String
        /// Throws a ``Violation`` if it is not kept.
        public let check: @Sendable (any ConflictSourceSubject) async throws -> Void
    }

    /// All of them.
    public static let promises = [
        Promise(description: "a folder without copies has no conflicts") { subject in
            _ = try await subject.makeFile("a.txt", "a", copies: [])
            try await expect(subject, subject.folder, copies: 0)
        },
        Promise(description: "all copies below a folder are found, with their originals") { subject in
            let first = try await subject.makeFile("a.txt", "a", copies: ["b", "c"])
            let second = try await subject.makeFile("d.txt", "d", copies: ["e"])
            let found = try await expect(subject, subject.folder, copies: 3)
            try require(found.filter { $0.root == first.path }.count == 2, "two copies of the first file")
            try require(found.filter { $0.root == second.path }.count == 1, "one copy of the second file")
            try require(found.allSatisfy(\.rootExists), "the originals are there")
        },
        Promise(description: "a file has its own copies only") { subject in
            let first = try await subject.makeFile("a.txt", "a", copies: ["b", "c"])
            _ = try await subject.makeFile("d.txt", "d", copies: ["e"])
            try await expect(subject, first, copies: 2)
        },
        Promise(description: "a resolved copy is gone, and nothing else is") { subject in
            let file = try await subject.makeFile("a.txt", "a", copies: ["b", "c"])
            let found = try await expect(subject, file, copies: 2)
            try await subject.source.resolveConflict(at: file, conflictURL: found[0].url)
            let left = try await expect(subject, file, copies: 1)
            try require(left[0].path == found[1].path, "the other copy is left")
            try require(try String(contentsOf: file, encoding: .utf8) == "a", "the original is untouched")
        },
        Promise(description: "a copy that changed since it was listed stays") { subject in
            let file = try await subject.makeFile("a.txt", "a", copies: ["b"])
            let found = try await expect(subject, file, copies: 1)
            try await subject.change(found[0])
            try await expectRefusal(subject, file, found[0].url)
            try await expect(subject, file, copies: 1)
        },
        Promise(description: "resolving twice is refused") { subject in
            let file = try await subject.makeFile("a.txt", "a", copies: ["b"])
            let found = try await expect(subject, file, copies: 1)
            try await subject.source.resolveConflict(at: file, conflictURL: found[0].url)
            try await expectRefusal(subject, file, found[0].url)
        },
        Promise(description: "an original is never removed as a copy") { subject in
            let file = try await subject.makeFile("a.txt", "a", copies: ["b"])
            try await expect(subject, file, copies: 1)
            try await expectRefusal(subject, file, file)
            try require(try String(contentsOf: file, encoding: .utf8) == "a", "the original is untouched")
        },
        Promise(description: "a copy is not removed as another file's") { subject in
            let first = try await subject.makeFile("a.txt", "a", copies: ["b"])
            let second = try await subject.makeFile("d.txt", "d", copies: [])
            let found = try await expect(subject, first, copies: 1)
            try await expectRefusal(subject, second, found[0].url)
            try await expect(subject, first, copies: 1)
        },
    ]

    private static func require(_ fact: Bool, _ promise: String) throws {
        if !fact { throw Violation(description: "not so: \(promise)") }
    }

    @discardableResult
    private static func expect(
        _ subject: any ConflictSourceSubject, _ url: URL, copies: Int
    ) async throws -> [Conflict] {
        let found = try await subject.source.unresolvedConflicts(at: url)
        try require(found.count == copies, "\(copies) copies at \(url.lastPathComponent), found \(found.map(\.path))")
        return found
    }

    private static func expectRefusal(
        _ subject: any ConflictSourceSubject, _ url: URL, _ conflictURL: URL
    ) async throws {
        do { try await subject.source.resolveConflict(at: url, conflictURL: conflictURL) } catch { return }
        throw Violation(description: "not refused: resolving \(conflictURL.lastPathComponent)")
    }
}
