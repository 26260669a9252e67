import TestSupport
import Testing

@testable import LLVSCore

/// What an arbiter may answer to a conflict about "v".
enum ArbiterAnswer: String, CaseIterable, Sendable {
    case preserveFirst, preserveSecond, insertNew, updateNew, updateWithFirst, insertWithSecond, remove, preserveRemoval

    func change(_ merge: Merge) throws -> Value.Change {
        func side(_ side: Value.Fork.Side) throws -> Value {
            Value(id: "v", content: try merge.content("v", on: side) ?? .bytes([UInt8]("z".utf8)))
        }
        switch self {
        case .preserveFirst: return try merge.keeping(.first, of: "v")
        case .preserveSecond: return try merge.keeping(.second, of: "v")
        case .insertNew: return .insert(Value(id: "v", "new"))
        case .updateNew: return .update(Value(id: "v", "new"))
        case .updateWithFirst: return .update(try side(.first))
        case .insertWithSecond: return .insert(try side(.second))
        case .remove: return .remove("v")
        case .preserveRemoval: return .preserveRemoval("v")
        }
    }

    /// What "v" is to be then.
    func result(_ fork: ForkCase) -> String? {
        switch self {
        case .preserveFirst: fork.first
        case .preserveSecond: fork.second
        case .insertNew, .updateNew: "new"
        case .updateWithFirst: fork.first ?? "z"
        case .insertWithSecond: fork.second ?? "z"
        case .remove, .preserveRemoval: nil
        }
    }
}

@Suite("Merging: an arbiter's answers") struct MergingAnswerTests {
    static let conflicts = ForkCase.all.filter { $0.fork?.isConflicting == true }

    @Test("any answer is the result, as the smallest change", arguments: conflicts, ArbiterAnswer.allCases)
    func answers(_ fork: ForkCase, _ answer: ArbiterAnswer) throws {
        let history = try ForkHistory(fork)
        let builder = history.builder
        let arbiter = ScriptedArbiter { [try answer.change($0)] }
        if answer == .preserveRemoval, fork.first != nil, fork.second != nil {
            #expect(
                storeErrorCode { _ = try builder.merge(history.first, history.second, arbiter) } == .arbiterMisbehaved)
            return
        }
        let merge = try builder.mergeBothWays(history.first, history.second, arbiter)
        #expect(merge.isDecided)
        #expect(try builder.text("v", at: merge.id) == answer.result(fork))
        try builder.expectMinimalChanges(merge.id)
    }

    @Test("answers that mean the same make the same version", arguments: conflicts)
    func sameMeaning(_ fork: ForkCase) throws {
        let history = try ForkHistory(fork)
        var ids: [String: Set<Version.ID>] = [:]
        for answer in ArbiterAnswer.allCases {
            if answer == .preserveRemoval, fork.first != nil, fork.second != nil { continue }
            let arbiter = ScriptedArbiter { [try answer.change($0)] }
            let id = try history.builder.merge(history.first, history.second, arbiter).id
            ids[answer.result(fork) ?? "", default: []].insert(id)
        }
        #expect(ids.values.allSatisfy { $0.count == 1 })
    }

    @Test("an arbiter may decide forks that are no conflict, too")
    func overrides() throws {
        let history = try ForkHistory(ForkCase(base: "x", first: "x", second: "y"), disputed: true)
        let arbiter = ScriptedArbiter { merge in
            try merge.conflicts.map { try merge.keeping(.first, of: $0) } + [.update(Value(id: "v", "decided"))]
        }
        let merge = try history.builder.mergeBothWays(history.first, history.second, arbiter)
        #expect(try history.builder.text("v", at: merge.id) == "decided")
        try history.builder.expectMinimalChanges(merge.id)
    }

    @Test("a preserve goes by its content, whatever version it names")
    func preserveOfAnUnknownVersion() throws {
        let history = try ForkHistory(ForkCase(base: "x", first: "y", second: "z"))
        let unknown = try Version.ID("unknown")
        let named = try history.builder.mergeBothWays(
            history.first, history.second,
            ScriptedArbiter { merge in
                let hash = try #require(try merge.reference("v", on: .first)).contentHash
                return [.preserve(Value.Reference(id: "v", contentHash: hash, version: unknown))]
            })
        let kept = try history.builder.merge(history.first, history.second, ScriptedArbiter.keeping(.first))
        #expect(named == kept)
    }

    @Test("content that is a stream is stored as its bytes")
    func stream() throws {
        let history = try ForkHistory(ForkCase(base: "x", first: "y", second: "z"))
        let bytes = [UInt8]("streamed".utf8)
        let arbiter = ScriptedArbiter { _ in
            [.update(Value(id: "v", content: .stream(Value.Stream(size: 8) { WholeReader(rest: bytes) })))]
        }
        let merge = try history.builder.merge(history.first, history.second, arbiter)
        #expect(try history.builder.text("v", at: merge.id) == "streamed")
    }

    /// What an arbiter must not answer, and a part of the message that names the value.
    enum Misbehaviour: String, CaseIterable, Sendable {
        case nothing, foreignValue, valueBothHaveAlike, contentOfNeither, contentOfAnotherValue, twice

        var changes: [Value.Change] {
            let keeping = Value.Change.update(Value(id: "v", "new"))
            let unknown = Value.Reference(id: "v", contentHash: SHA256.hash([9]), version: .root)
            let other = Value.Reference(id: "v", contentHash: SHA256.hash([UInt8("0".utf8.first ?? 0)]), version: .root)
            switch self {
            case .nothing: return []
            case .foreignValue: return [keeping, .insert(Value(id: "stranger", "1"))]
            case .valueBothHaveAlike: return [keeping, .update(Value(id: "0", "1"))]
            case .contentOfNeither: return [.preserve(unknown)]
            case .contentOfAnotherValue: return [.preserve(other)]
            case .twice: return [keeping, keeping]
            }
        }

        var valueNamed: String {
            switch self {
            case .foreignValue: "'stranger'"
            case .valueBothHaveAlike: "'0'"
            default: "'v'"
            }
        }
    }

    @Test("a wrong answer is an error that names the value, and nothing is written", arguments: Misbehaviour.allCases)
    func misbehaves(_ misbehaviour: Misbehaviour) throws {
        let history = try ForkHistory(ForkCase(base: "x", first: "y", second: "z"))
        let before = try history.builder.store.storage.contents()
        let error = try #require(throws: StoreError.self) {
            try history.builder.merge(
                history.first, history.second, ScriptedArbiter { _ in misbehaviour.changes })
        }
        #expect(error.code == (misbehaviour == .twice ? .invalidChanges : .arbiterMisbehaved))
        #expect(error.what.contains(misbehaviour.valueNamed))
        #expect(try history.builder.store.storage.contents() == before)
    }

    @Test("what an arbiter throws comes through as it is")
    func throwsItsOwn() throws {
        let history = try ForkHistory(ForkCase(base: "x", first: "y", second: "z"))
        #expect(throws: UnexpectedQuestion.self) { try history.builder.merge(history.first, history.second) }
    }

    @Test("an arbiter reads both sides and the base")
    func reads() throws {
        let history = try ForkHistory(ForkCase(base: "x", first: "y", second: nil))
        let arbiter = ScriptedArbiter { merge in
            #expect(try merge.content("v", on: .first)?.allBytes() == [UInt8]("y".utf8))
            #expect(try merge.content("v", on: .second) == nil)
            #expect(try merge.baseContent("v")?.allBytes() == [UInt8]("x".utf8))
            #expect(try merge.baseContent("nothing") == nil)
            let reference = try #require(try merge.reference("v", on: .first))
            #expect(reference.version == merge.first.id)
            #expect(try merge.recency(of: reference) == merge.first.recency)
            return [try merge.keeping(.second, of: "v")]
        }
        let merge = try history.builder.merge(history.first, history.second, arbiter)
        #expect(try history.builder.text("v", at: merge.id) == nil)
    }
}

/// Gives all bytes, then none.
struct WholeReader: ContentReader {
    var rest: [UInt8]

    mutating func read(atMost count: Int) throws -> [UInt8] {
        let piece = [UInt8](rest.prefix(count))
        rest.removeFirst(piece.count)
        return piece
    }
}
