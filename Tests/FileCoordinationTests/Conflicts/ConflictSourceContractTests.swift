import FileCoordination
import Foundation
import TestSupport
import Testing

/// ``SiblingConflictSource`` keeps what every source promises.
@Suite("Conflict source contract")
struct ConflictSourceContractTests {
    @Test(arguments: ConflictSourceContract.promises)
    func isKept(promise: ConflictSourceContract.Promise) async throws {
        try await promise.check(SiblingSubject())
    }
}

private struct SiblingSubject: ConflictSourceSubject {
    let source: any ConflictSource = SiblingConflictSource()
    let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    var folder: URL { URL(filePath: temporary.path) }

    func makeFile(_ name: String, _ text: String, copies: [String]) async throws -> URL {
        let path = try temporary.write(text, to: name)
        for (number, copy) in copies.enumerated() {
            let base = name.prefix { $0 != "." }
            try temporary.write(copy, to: "\(base).sync-conflict-2026092\(number)-140233-ABCDEFG.txt")
        }
        return URL(filePath: path)
    }

    func change(_ conflict: Conflict) async throws {
        try CoordinatedFile().write(Array("other".utf8), to: conflict.path)
    }
}
