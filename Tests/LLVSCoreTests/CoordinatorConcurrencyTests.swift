import LLVSCore
import TestSupport
import Testing

@Suite("Coordinator: many tasks") struct CoordinatorConcurrencyTests {
    @Test("eight tasks save at once through two coordinators of two stores on one database, and nothing is lost")
    func manySaves() async throws {
        try await StorageKind.sqlite.withBuilder { builder in
            let path = try #require((builder.store.storage as? SQLiteStorage)?.path)
            let stores = [builder.store, try Store.open(at: path)]
            let coordinators = stores.map { StoreCoordinator(store: $0) }
            try await withThrowingTaskGroup(of: [Version.ID].self) { group in
                for task in 0..<8 {
                    group.addTask {
                        var saved: [Version.ID] = []
                        for number in 0..<50 {
                            let value = Value(id: try Value.ID("task \(task) save \(number)"), "\(number)")
                            // Half of them from the version that their author saw, which may be an old one.
                            let coordinator = coordinators[task % 2]
                            let base = number % 2 == 0 ? nil : saved.last
                            saved.append(try await coordinator.save([.insert(value)], basedOn: base).id)
                        }
                        return saved
                    }
                }
                var all: Set<Version.ID> = []
                for try await saved in group { all.formUnion(saved) }
                #expect(all.count == 400)
                let merged = try await coordinators[0].merge().current
                #expect(try await coordinators[1].current() == merged)
                let store = Store(storage: builder.store.storage)
                for id in all { #expect(try store.state(of: id) == .firm) }
                #expect(try store.valueCount(at: merged) == 400)
                let log = try Set(store.log(from: [merged]).map(\.id))
                #expect(all.isSubset(of: log))
                #expect(try store.verify() == [])
            }
            try stores[1].close()
        }
    }

    @Test(
        "merges and saves of many coordinators at once leave one version that holds all",
        arguments: StorageKind.allCases)
    func savesAndMerges(_ kind: StorageKind) async throws {
        try await kind.withBuilder { builder in
            let store = builder.store
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    let coordinator = StoreCoordinator(store: store, name: "coordinator \(task % 2)")
                    group.addTask {
                        for number in 0..<12 {
                            try await coordinator.save([.insert(Value(id: "shared", "\(task) \(number)"))])
                            try await coordinator.merge()
                        }
                    }
                }
                try await group.waitForAll()
            }
            let merged = try await StoreCoordinator(store: store).merge()
            #expect(merged.left.isEmpty)
            let heads = try store.heads().map(\.id)
            // A join, or a merge in which nothing was in dispute, is no head yet: then its parents are.
            #expect(try heads == [merged.current] || store.state(of: merged.current) == .provisional, "\(heads)")
            for head in heads { #expect(try store.isAncestor(head, of: merged.current)) }
            #expect(try store.verify() == [])
        }
    }

    @Test("reads nest: any number of threads may read values while they list them", arguments: StorageKind.allCases)
    func nestedReads(_ kind: StorageKind) async throws {
        try await kind.withBuilder { builder in
            var values: [Value.ID: String] = [:]
            for number in 0..<50 { values[try Value.ID("\(number)")] = "\(number)" }
            let version = try builder.save(values)
            let store = builder.store
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        try await onOwnThread {
                            var read = 0
                            for _ in 0..<5 {
                                try store.forEachValue(at: version) { reference in
                                    read += try store.bytes(of: reference.id, at: version) == nil ? 0 : 1
                                    return true
                                }
                            }
                            return read
                        }
                    }
                }
                for try await read in group { #expect(read == 250) }
            }
        }
    }
}
