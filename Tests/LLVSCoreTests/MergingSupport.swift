@testable import LLVSCore
import Synchronization
import TestSupport

/// An arbiter that answers what a test says, and remembers what it was asked.
final class ScriptedArbiter: MergeArbiter {
    /// What it saw of a merge.
    struct Question: Sendable {
        let first: Version.ID
        let second: Version.ID
        let commonAncestors: [Version.ID]
        let forks: [Value.ID: Value.Fork]
        let conflicts: [Value.ID]
    }

    private let answer: @Sendable (Merge) throws -> [Value.Change]
    private let asked = Mutex<[Question]>([])

    init(_ answer: @escaping @Sendable (Merge) throws -> [Value.Change]) {
        self.answer = answer
    }

    /// Keeps one side of every conflict.
    static func keeping(_ side: Value.Fork.Side) -> ScriptedArbiter {
        ScriptedArbiter { merge in try merge.conflicts.map { try merge.keeping(side, of: $0) } }
    }

    /// One question for each merge with a conflict.
    var questions: [Question] { asked.withLock(\.self) }

    func changes(toResolve merge: Merge) throws -> [Value.Change] {
        let question = Question(
            first: merge.first.id, second: merge.second.id, commonAncestors: merge.commonAncestors.map(\.id),
            forks: merge.forks, conflicts: merge.conflicts)
        asked.withLock { $0.append(question) }
        return try answer(merge)
    }
}

/// The arbiter of a test that expects no question.
struct UnexpectedQuestion: Error, MergeArbiter {
    func changes(toResolve merge: Merge) throws -> [Value.Change] { throw self }
}

extension StoreBuilder {
    /// Merges two versions and adds the result as a provisional one. `isDecided`: the arbiter was asked.
    @discardableResult
    func merge(
        _ a: Version.ID, _ b: Version.ID, _ arbiter: any MergeArbiter = UnexpectedQuestion()
    ) throws -> (id: Version.ID, isDecided: Bool) {
        let plan = try plan(a, b, arbiter)
        switch plan {
        case .fastForward(let version): return (version.id, false)
        case .make(let record, let contents, let decided):
            try store.write(now: Self.now) { transaction in
                _ = try transaction.add(record, state: .provisional) { entry in
                    guard let content = contents[entry.id] else { throw UnexpectedQuestion() }
                    return content
                }
            }
            return (record.id, decided)
        }
    }

    /// Merges two versions in both orders, which must give the same version.
    func mergeBothWays(
        _ a: Version.ID, _ b: Version.ID, _ arbiter: any MergeArbiter = UnexpectedQuestion()
    ) throws -> (id: Version.ID, isDecided: Bool) {
        let one = try merge(a, b, arbiter)
        let other = try merge(b, a, arbiter)
        guard one == other else { throw OrderMatters(one: one.id, other: other.id) }
        return one
    }

    func plan(_ a: Version.ID, _ b: Version.ID, _ arbiter: any MergeArbiter) throws -> MergePlan {
        try store.read { snapshot in
            try MergePlan(snapshot.get(a), snapshot.get(b), arbiter: arbiter, in: snapshot, of: store.storage)
        }
    }
}

/// A merge in one order is another version than in the other.
struct OrderMatters: Error {
    let one: Version.ID
    let other: Version.ID
}
