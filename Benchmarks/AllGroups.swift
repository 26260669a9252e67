extension BenchmarkGroup {
    /// In the order in which they run.
    static let all: [BenchmarkGroup] = [
        store, snapshot, history, bootstrap, folder, live, watch, write, conflicts, simulate,
    ]
}
