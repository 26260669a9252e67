import LLVSCore
import TestSupport
import Testing

@Suite("Coordinator: which branches it follows") struct CoordinatorBranchSelectionTests {
    private let builder = StoreBuilder()

    /// A version without a branch, and one each on "draft" and "review", all on one base.
    private func branches() throws {
        let base = try builder.save(["base": "1"])
        try builder.save(["main": "1"], on: base)
        for branch in ["draft", "review"] as [Branch] {
            try builder.save([try Value.ID(branch.rawValue): "1"], on: base, branch: branch)
        }
    }

    private func coordinator(_ selection: BranchSelection, branch: Branch? = nil) -> StoreCoordinator {
        StoreCoordinator(
            store: builder.store, name: "\(selection) \(branch?.rawValue ?? "")", branch: branch, selection: selection,
            clock: { StoreBuilder.now })
    }

    private func followed(_ selection: BranchSelection, branch: Branch? = nil) async throws -> Set<Value.ID> {
        Set(try builder.values(at: try await coordinator(selection, branch: branch).merge().current).keys)
    }

    @Test("a selection is merged, and nothing else")
    func selections() async throws {
        try branches()
        #expect(try await followed(.all) == ["base", "main", "draft", "review"])
        #expect(try await followed(.allExceptBranches) == ["base", "main"])
        #expect(try await followed(.allExcept(["draft"])) == ["base", "main", "review"])
        #expect(try await followed(.unbranchedAnd(["draft"])) == ["base", "main", "draft"])
        #expect(try await followed(.only(["draft", "review"]), branch: "draft") == ["base", "draft", "review"])
        #expect(try await followed(.only([]), branch: "review") == ["base", "review"])
        #expect(try await followed(.only(["nothing"]), branch: "none") == [])
    }

    @Test("its own branch is followed whatever is selected; without one, versions without a branch are")
    func ownBranch() async throws {
        try branches()
        #expect(try await followed(.allExcept(["draft", "review"]), branch: "draft") == ["base", "main", "draft"])
        #expect(try await followed(.allExceptBranches, branch: "draft") == ["base", "main", "draft"])
        #expect(try await followed(.only(["review"]), branch: "draft") == ["base", "draft", "review"])
        #expect(try await followed(.only(["draft"])) == ["base", "main", "draft"])
    }

    @Test("a save is in what its coordinator follows", arguments: [nil, "draft"] as [Branch?])
    func saves(_ branch: Branch?) async throws {
        try branches()
        for selection in [.all, .allExceptBranches, .allExcept(["draft"]), .only([])] as [BranchSelection] {
            let coordinator = coordinator(selection, branch: branch)
            try await coordinator.merge()
            let saved = try await coordinator.save([.insert(Value(id: "saved", "\(selection)"))])
            #expect(try builder.store.isAncestor(saved.id, of: try await coordinator.merge().current))
        }
    }

    @Test("coordinators with equal selections have the same current version, whatever the others do")
    func equalSelections() async throws {
        try branches()
        let one = try await coordinator(.only(["review"]), branch: "draft").merge().current
        _ = try await coordinator(.all).merge()
        let two = StoreCoordinator(
            store: builder.store, name: "two", branch: "review", selection: .only(["draft"]),
            clock: { StoreBuilder.now })
        #expect(try await two.merge().current == one)
    }

    @Test("a selection says of every branch whether it is in it")
    func selects() {
        let draft: BranchSelection = .only(["draft"])
        #expect(draft.selects("draft") && !draft.selects("review") && !draft.selects(nil))
        #expect(BranchSelection.all.selects("x") && BranchSelection.all.selects(nil))
        #expect(BranchSelection.allExceptBranches.selects(nil) && !BranchSelection.allExceptBranches.selects("x"))
        #expect(BranchSelection.allExcept(["x"]).selects(nil) && !BranchSelection.allExcept(["x"]).selects("x"))
        // By bytes.
        #expect(!BranchSelection.only(["\u{e9}"]).selects("e\u{301}"))
    }
}
