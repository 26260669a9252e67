/// Brings versions into the store, parents before children, whatever their order, names and clocks.
struct LLVSAdmission {
    /// A version that was read and is not in the store yet.
    struct Candidate {
        let version: LLVSVersion
        /// What reports call it.
        let file: String
    }

    let store: Store
    let now: Int64
    private(set) var report: LLVSReport
    private var waiting: [Version.ID: Candidate] = [:]
    private var children: [Version.ID: [Version.ID]] = [:]

    init(store: Store, now: Int64, report: LLVSReport) {
        self.store = store
        self.now = now
        self.report = report
    }

    /// Those that could not be admitted, ascending by id.
    var left: [Candidate] { waiting.values.sorted { $0.version.id < $1.version.id } }

    mutating func add(_ candidate: Candidate) {
        waiting[candidate.version.id] = candidate
        for parent in candidate.version.parents { children[parent, default: []].append(candidate.version.id) }
    }

    /// Admits every version whose parents are there.
    ///
    /// - Parameters:
    ///   - changes: the changes of a version, asked for once, when its parents are there; or why they are not there yet.
    ///   - note: writes what is to be remembered of an admitted version, in the transaction that adds it.
    mutating func run(
        changes: (Candidate, inout LLVSReport) throws -> [LLVSChange]?,
        note: (Candidate, ExchangeTransaction) throws -> Void, progress: (Int, Int) -> Void = { _, _ in }
    ) throws {
        let total = waiting.count
        var ready = try left.filter { try hasParents($0) }.map(\.version.id).reversed() as [Version.ID]
        var done = 0
        while let id = ready.popLast() {
            guard let candidate = waiting[id] else { continue }
            try Task.checkCancellation()
            progress(done, total)
            done += 1
            guard try admit(candidate, changes: changes, note: note) else { continue }
            waiting[id] = nil
            for child in (children[id] ?? []).sorted().reversed() {
                if let candidate = waiting[child], try hasParents(candidate) { ready.append(child) }
            }
        }
        if total > 0 { progress(total, total) }
    }

    private func hasParents(_ candidate: Candidate) throws -> Bool {
        try store.inspect { view in try candidate.version.parents.allSatisfy { try view.state(of: $0) != nil } }
    }

    private mutating func admit(
        _ candidate: Candidate, changes: (Candidate, inout LLVSReport) throws -> [LLVSChange]?,
        note: (Candidate, ExchangeTransaction) throws -> Void
    ) throws -> Bool {
        guard let changes = try changes(candidate, &report) else { return false }
        do {
            try store.exchange(now: now) { transaction in
                let arrival = LLVSArrival(snapshot: transaction.view.snapshot, storage: transaction.storage)
                try transaction.admit(try arrival.version(candidate.version, changes: changes))
                try note(candidate, transaction)
            }
            report.imported += 1
            return true
        } catch let error as StoreError where !error.isOfStorage {
            report.damaged.append(LLVSReport.Item(file: candidate.file, reason: error.what))
            return false
        }
    }

    /// Says of each version that is left which other it waits for, unless it was said what is wrong with it.
    mutating func reportWaiting() throws {
        let told = Set((report.damaged + report.waiting).map(\.file))
        for candidate in left where !told.contains(candidate.file) {
            let missing = try store.inspect { view in
                try candidate.version.parents.first { try view.state(of: $0) == nil }
            }
            let reason = missing.map { "it waits for the version \($0)" } ?? "it waits for its changes"
            report.waiting.append(LLVSReport.Item(file: candidate.file, reason: reason))
        }
    }
}
