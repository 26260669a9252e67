extension BenchmarkGroup {
    /// In the order in which they run.
    static let all: [BenchmarkGroup] = [store, watch, write, conflicts]
}
