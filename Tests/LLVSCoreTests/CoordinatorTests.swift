import TestSupport
import Testing

@testable import LLVSCore

@Suite("Coordinator") struct CoordinatorTests {
    private let builder = StoreBuilder()
    private var store: Store { builder.store }

    private func coordinator(
        _ name: String = "main", branch: Branch? = nil, selecting: Set<Branch> = [],
        arbiter: any MergeArbiter = MostRecentChangeArbiter()
    ) -> StoreCoordinator {
        StoreCoordinator(
            store: store, name: name, branch: branch, selecting: selecting, arbiter: arbiter,
            clock: { StoreBuilder.now })
    }

    private func changes(_ values: [Value.ID: String?]) -> [Value.Change] { StoreBuilder.changes(values) }

    /// Two heads that conflict about "x" if `disputed`.
    private func fork(disputed: Bool) throws -> [Version.ID] {
        let base = try builder.save(["x": "0"])
        let one = try builder.save([disputed ? "x" : "one": "1"], on: base)
        let two = try builder.save([disputed ? "x" : "two": "2"], on: base)
        return [one, two].sorted()
    }

    @Test("a merge that nobody decided does not count: no head, no version, nothing to send")
    func undecidedIsProvisional() async throws {
        let heads = try fork(disputed: false)
        let outcome = try await coordinator().merge()
        #expect(outcome.made == 1 && outcome.left.isEmpty && outcome.stayed == nil)
        #expect(try store.state(of: outcome.current) == .provisional)
        #expect(try store.heads().map(\.id) == heads)
        #expect(try store.versionCount() == 3)
        #expect(try builder.parcels().map(\.id).contains(outcome.current) == false)
        #expect(try builder.values(at: outcome.current) == ["x": "0", "one": "1", "two": "2"])
    }

    @Test("a decided merge is part of the history at once, unless it is not to be published")
    func decidedIsFirm() async throws {
        _ = try fork(disputed: true)
        let held = try await coordinator().merge(publishing: false)
        #expect(try store.state(of: held.current) == .provisional)
        #expect(try store.versionCount() == 3)
        let published = try await coordinator().merge()
        #expect(published.current == held.current && published.made == 0)
        #expect(try store.state(of: held.current) == .firm)
        #expect(try store.heads().map(\.id) == [held.current])
        #expect(try store.versionCount() == 4)
    }

    @Test("a decided merge takes the undecided ones below it into the history")
    func decidedOnUndecided() async throws {
        let base = try builder.save(["x": "0"])
        for number in 0..<6 { try builder.save([try Value.ID("\(number)"): "1"], on: base) }
        let one = try builder.save(["x": "1"], on: base)
        let two = try builder.save(["x": "2"], on: one, at: StoreBuilder.now + 1)
        let three = try builder.save(["x": "3"], on: one, at: StoreBuilder.now + 2)
        // Of higher generation, so the two come last.
        let outcome = try await coordinator().merge()
        #expect(outcome.made == 7)
        #expect(try store.heads().map(\.id) == [outcome.current])
        #expect(try store.isAncestor(two, of: outcome.current) && store.isAncestor(three, of: outcome.current))
        #expect(try store.versionCount() == 10 + 7)
        #expect(try store.verify() == [])
    }

    @Test("a pass with nothing new writes nothing", arguments: [true, false])
    func idle(disputed: Bool) async throws {
        _ = try fork(disputed: disputed)
        let first = try await coordinator().merge()
        let before = try store.storage.contents()
        for _ in 0..<3 {
            let again = try await coordinator().merge()
            #expect(again == MergeOutcome(current: first.current))
        }
        #expect(try store.storage.contents() == before)
    }

    @Test("when heads change, provisional merges of the old ones are dropped, and stay readable")
    func dropped() async throws {
        let heads = try fork(disputed: false)
        let old = try await coordinator().merge().current
        try builder.save(["three": "3"], on: heads[0])
        let new = try await coordinator().merge().current
        #expect(new != old)
        #expect(try store.state(of: old) == .dropped && store.state(of: new) == .provisional)
        #expect(try builder.values(at: old) == ["x": "0", "one": "1", "two": "2"])
        #expect(try store.verify() == [])
    }

    @Test("a save on a provisional current version makes it part of the history, its provisional ancestors too")
    func saveOnProvisional() async throws {
        let base = try builder.save(["x": "0"])
        for number in 0..<3 { try builder.save([try Value.ID("\(number)"): "1"], on: base) }
        let coordinator = coordinator()
        let current = try await coordinator.merge().current
        #expect(try store.versionCount() == 4)
        let saved = try await coordinator.save(changes(["x": "1"]))
        #expect(saved.parents == [current])
        #expect(try store.versionCount() == 4 + 2 + 1)
        #expect(try store.heads() == [saved])
        #expect(try await coordinator.current() == saved.id)
        #expect(try store.state(of: current) == .firm)
        #expect(try store.verify() == [])
        let other = StoreBuilder()
        try other.admitAll(of: builder)
        #expect(try other.store.heads() == [saved])
    }

    @Test("a save on a dropped merge makes that part of the history")
    func saveOnDropped() async throws {
        let heads = try fork(disputed: false)
        let coordinator = coordinator()
        let old = try await coordinator.merge().current
        try builder.save(["three": "3"], on: heads[0])
        try await coordinator.merge()
        let saved = try await coordinator.save(changes(["x": "seen"]), basedOn: old)
        #expect(saved.parents == [old])
        #expect(try store.state(of: old) == .firm)
        let current = try await coordinator.current()
        #expect(try builder.values(at: current) == ["x": "seen", "one": "1", "two": "2", "three": "3"])
        #expect(try store.verify() == [])
    }

    @Test("a save based on an old version is merged, and overwrites nothing that came in between")
    func saveOnOld() async throws {
        let coordinator = coordinator()
        let base = try await coordinator.save(changes(["x": "0", "y": "0"])).id
        let newer = try await coordinator.save(changes(["x": "1"])).id
        let saved = try await coordinator.save(changes(["y": "1"]), basedOn: base)
        #expect(saved.parents == [base])
        #expect(try store.state(of: saved.id) == .firm)
        let current = try await coordinator.current()
        #expect(try builder.values(at: current) == ["x": "1", "y": "1"])
        #expect(try store.isAncestor(newer, of: current) && store.isAncestor(saved.id, of: current))
        #expect(try store.state(of: current) == .provisional)
    }

    @Test("a save based on an old version that changes the same value is a fork for the arbiter")
    func saveOnOldInConflict() async throws {
        let arbiter = ScriptedArbiter.keeping(.second)
        let coordinator = coordinator(arbiter: arbiter)
        let base = try await coordinator.save(changes(["x": "0"])).id
        try await coordinator.save(changes(["x": "1"]))
        try await coordinator.save(changes(["x": "2"]), basedOn: base)
        #expect(arbiter.questions.map(\.forks) == [["x": .twiceUpdated]])
        // Provisional although it is decided: the next pass folds all heads again, to the same version.
        let current = try await coordinator.current()
        #expect(try store.state(of: current) == .provisional)
        let outcome = try await coordinator.merge()
        #expect(outcome.current == current && outcome.made == 0)
        #expect(try store.state(of: current) == .firm)
    }

    @Test("a save whose merge the arbiter refuses stands beside the current version, which stays")
    func saveWithFailingArbiter() async throws {
        let coordinator = coordinator(arbiter: UnexpectedQuestion())
        let base = try await coordinator.save(changes(["x": "0"])).id
        let current = try await coordinator.save(changes(["x": "1"])).id
        let saved = try await coordinator.save(changes(["x": "2"]), basedOn: base)
        #expect(try await coordinator.current() == current)
        #expect(try Set(store.heads().map(\.id)) == [current, saved.id])
        let outcome = try await coordinator.merge()
        #expect(outcome.left.map(\.head) == [max(current, saved.id)] || outcome.left.count == 1)
        #expect(outcome.left.allSatisfy { $0.reason.contains("UnexpectedQuestion") })
    }

    @Test("a save that changes nothing makes no version")
    func emptySave() async throws {
        let coordinator = coordinator()
        let saved = try await coordinator.save(changes(["x": "0"]))
        #expect(try await coordinator.save(changes(["x": "0"])) == saved)
        #expect(try await coordinator.save([]) == saved)
        #expect(try store.versionCount() == 1)
        #expect(try await self.coordinator("new").save([]).id == .root)
    }

    @Test("a save that is not valid leaves store and current version as they were")
    func invalidSave() async throws {
        let coordinator = coordinator()
        try await coordinator.save(changes(["x": "0"]))
        let before = try store.storage.contents()
        let unknown = try Version.ID("unknown")
        for (changes, base) in [
            ([.remove("none")], nil), ([.update(Value(id: "none", "1"))], nil),
            ([.remove("x"), .insert(Value(id: "x", "1"))], nil), ([.preserveRemoval("x")], nil),
            ([.insert(Value(id: "x", "1"))], unknown),
        ] as [([Value.Change], Version.ID?)] {
            let error = await #expect(throws: StoreError.self) { try await coordinator.save(changes, basedOn: base) }
            #expect(error?.code == (base == nil ? .invalidChanges : .noSuchVersion))
        }
        #expect(try store.storage.contents() == before)
    }

    @Test("an arbiter that fails about one head leaves that head, with its reason, and the others are merged")
    func oneBadHead() async throws {
        let base = try builder.save(["x": "0"])
        let bad = try builder.save(["bad": "1", "x": "bad"], on: try builder.save(["y": "1"], on: base))
        for number in 1...4 { try builder.save(["x": "\(number)"], on: base) }
        let arbiter = ScriptedArbiter { merge in
            if try merge.content("bad", on: .first) != nil || merge.content("bad", on: .second) != nil {
                throw UnexpectedQuestion()
            }
            return try merge.conflicts.map { try merge.keeping(.second, of: $0) }
        }
        let outcome = try await coordinator(arbiter: arbiter).merge()
        #expect(outcome.left.map(\.head) == [bad])
        #expect(outcome.left.allSatisfy { $0.reason.contains("UnexpectedQuestion") })
        #expect(outcome.made == 3)
        #expect(try Set(store.heads().map(\.id)) == [bad, outcome.current])
        let before = try store.storage.contents()
        let again = try await coordinator(arbiter: arbiter).merge()
        #expect(again.left.map(\.head) == [bad] && again.made == 0)
        #expect(try store.storage.contents() == before)
        // Another arbiter, in a later version of the app, merges it.
        let mended = try await coordinator().merge()
        #expect(mended.left.isEmpty)
        #expect(try store.heads().map(\.id) == [mended.current])
    }

    @Test("a head that merges with nothing does not keep the others apart, though it comes first")
    func badHeadFirst() async throws {
        let bad = try builder.save(["bad": "1", "x": "bad"])
        let base = try builder.save(["x": "0"])
        var tips: [Version.ID] = []
        for number in 1...3 { tips.append(try builder.save(["x": "\(number)"], on: base)) }
        let arbiter = ScriptedArbiter { merge in
            if try merge.content("bad", on: .first) != nil || merge.content("bad", on: .second) != nil {
                throw UnexpectedQuestion()
            }
            return try merge.conflicts.map { try merge.keeping(.second, of: $0) }
        }
        let main = coordinator(arbiter: arbiter)
        try await main.save([], basedOn: tips[0])
        let outcome = try await main.merge()
        #expect(outcome.left.map(\.head) == [bad] && outcome.made == 2 && outcome.stayed == nil)
        for tip in tips { #expect(try store.isAncestor(tip, of: outcome.current)) }
        #expect(try Set(store.heads().map(\.id)) == [bad, outcome.current])
        // A coordinator that stands on the bad head stays there, and sees the same heads.
        let other = coordinator("other", arbiter: arbiter)
        try await other.save([], basedOn: bad)
        #expect(try await other.merge().current == bad)
        #expect(try await main.merge().current == outcome.current)
    }

    @Test("a current version that no fold holds stays, with the reason")
    func currentHeld() async throws {
        let main = coordinator()
        let draft = try builder.save(["draft": "1"], branch: "draft")
        let saved = try builder.save(["x": "1"])
        try await coordinator("main", branch: "draft").save([], basedOn: draft)
        let outcome = try await main.merge()
        #expect(outcome.current == draft && outcome.stayed != nil)
        #expect(try store.heads().map(\.id).contains(saved))
    }

    @Test("an answer that does not resolve the merge leaves the head, with a reason that names the value")
    func wrongAnswer() async throws {
        let heads = try fork(disputed: true)
        let outcome = try await coordinator(arbiter: ScriptedArbiter { _ in [] }).merge()
        #expect(outcome.left.map(\.head) == [heads[1]])
        #expect(outcome.left.first?.reason.contains("'x'") == true)
        #expect(outcome.current == heads[0])
        #expect(try store.versionCount() == 3)
    }

    @Test("the current version only moves to one that holds all its authored work")
    func currentStays() async throws {
        let failing = coordinator(arbiter: UnexpectedQuestion())
        let base = try await failing.save(changes(["x": "0"])).id
        let own = try await failing.save(changes(["x": "own"])).id
        // A head of lower (generation, id), which the fold starts from and cannot get past.
        let arrived = try builder.save(["x": "arrived"])
        let outcome = try await failing.merge()
        #expect(outcome.left.map(\.head) == [arrived])
        #expect(outcome.current == own && outcome.stayed == nil)
        #expect(try await failing.current() == own)
        let mended = try await coordinator().merge()
        for id in [base, own, arrived] { #expect(try store.isAncestor(id, of: mended.current)) }
        #expect(try await failing.current() == mended.current)
    }

    @Test("coordinators of one name share the current version, those of others do not")
    func names() async throws {
        let saved = try await coordinator("one").save(changes(["x": "1"])).id
        #expect(try await coordinator("one").current() == saved)
        #expect(try await coordinator("two").current() == .root)
        #expect(try await coordinator("two").merge().current == saved)
    }

    @Test("two coordinators that follow different branches leave each other's merges in peace")
    func twoCoordinators() async throws {
        let base = try builder.save(["x": "0"])
        try builder.save(["one": "1"], on: base)
        try builder.save(["two": "1"], on: base)
        try builder.save(["draft": "1"], on: base, branch: "draft")
        try builder.save(["more": "1"], on: base, branch: "draft")
        let main = coordinator("main")
        let drafts = coordinator("drafts", branch: "draft")
        let first = (try await main.merge().current, try await drafts.merge().current)
        #expect(first.0 != first.1)
        let before = try store.storage.contents()
        for _ in 0..<3 {
            #expect(try await main.merge() == MergeOutcome(current: first.0))
            #expect(try await drafts.merge() == MergeOutcome(current: first.1))
        }
        #expect(try store.storage.contents() == before)
        #expect(try store.state(of: first.0) == .provisional && store.state(of: first.1) == .provisional)
    }

    @Test("a named branch is followed only where it is asked for, one's own always")
    func branches() async throws {
        let base = try builder.save(["x": "0"])
        let main = try builder.save(["main": "1"], on: base)
        try builder.save(["draft": "1"], on: base, branch: "draft")
        try builder.save(["review": "1"], on: base, branch: "review")
        func values(_ coordinator: StoreCoordinator) async throws -> Set<Value.ID> {
            Set(try builder.values(at: try await coordinator.merge().current).keys)
        }
        #expect(try await values(coordinator("a")) == ["x", "main"])
        #expect(try await coordinator("a").current() == main)
        #expect(try await values(coordinator("b", branch: "draft")) == ["x", "main", "draft"])
        #expect(try await values(coordinator("c", selecting: ["review"])) == ["x", "main", "review"])
        #expect(try await values(coordinator("d", branch: "draft", selecting: ["review"])).count == 4)
        #expect(try await values(coordinator("e", branch: "other")) == ["x", "main"])
    }

    @Test("below a head of an unfollowed branch, the versions that are followed are found")
    func belowUnfollowed() async throws {
        let base = try builder.save(["x": "0"])
        let one = try builder.save(["one": "1"], on: base)
        let two = try builder.save(["two": "1"], on: base)
        let draft = try builder.save(["draft": "1"], on: one, branch: "draft")
        try builder.save(["more": "1"], on: draft, and: two, branch: "draft")
        let outcome = try await coordinator().merge()
        #expect(try builder.values(at: outcome.current) == ["x": "0", "one": "1", "two": "1"])
        // A child that is followed covers its parents.
        let three = try builder.save(["three": "1"], on: one, and: two)
        #expect(try await coordinator().merge().current == three)
    }

    @Test("a save is on the coordinator's branch")
    func branchOfSaves() async throws {
        let saved = try await coordinator("drafts", branch: "draft").save(changes(["x": "1"]), metadata: ["note": [1]])
        #expect(saved.branch == "draft" && saved.metadata["note"] == [1])
        #expect(try await coordinator("drafts", branch: "draft").current() == saved.id)
        #expect(try await coordinator().merge().current == .root)
    }

    @Test("work of a branch reaches no one who does not follow it, also after it was merged with the main line")
    func branchesDoNotLeak() async throws {
        let base = try builder.save(["x": "0"])
        let drafts = coordinator("drafts", branch: "draft")
        try await drafts.save(changes(["draft": "1"]), basedOn: base)
        try builder.save(["main": "1"], on: base)
        try await drafts.merge()
        try await drafts.save(changes(["draft": "2"]))
        try await drafts.merge()
        let main = coordinator("main")
        #expect(try builder.values(at: try await main.merge().current) == ["x": "0", "main": "1"])
        // Whoever follows the branch has all, and what is saved there is for all.
        let reviewer = coordinator("reviewer", selecting: ["draft"])
        #expect(try builder.values(at: try await reviewer.merge().current).count == 3)
        try await reviewer.save(changes(["review": "1"]))
        let everything: [Value.ID: String] = ["x": "0", "main": "1", "draft": "2", "review": "1"]
        #expect(try builder.values(at: try await main.merge().current) == everything)
    }

    @Test("a conflict that a branch decides against the main line stays on the branch, however often")
    func decidedMergesDoNotLeak() async throws {
        let base = try builder.save(["x": "0"])
        let drafts = coordinator("drafts", branch: "draft", selecting: ["review"])
        try builder.save(["x": "main"], on: base)
        for round in 1...3 {
            try builder.save(["review": "\(round)"], on: base, branch: "review")
            try await drafts.save(changes(["x": "draft \(round)"]), basedOn: base)
            #expect(try await drafts.merge().left.isEmpty)
        }
        #expect(try store.state(of: try await drafts.current()) == .firm)
        #expect(try builder.values(at: try await coordinator("main").merge().current) == ["x": "main"])
        let reviewed = try await coordinator("reviewer", selecting: ["review"]).merge().current
        #expect(try builder.values(at: reviewed).keys.sorted() == ["review", "x"])
        #expect(try builder.values(at: reviewed)["x"] == "main")
        // Whoever follows both branches takes the merge as it is.
        let all = try await coordinator("all", selecting: ["draft", "review"]).merge().current
        #expect(try store.isAncestor(try await drafts.current(), of: all))
    }
}
