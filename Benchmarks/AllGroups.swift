extension BenchmarkGroup {
    /// In the order in which they run.
    static let all: [BenchmarkGroup] = [store, history, folder, watch, write, conflicts, simulate]
}
