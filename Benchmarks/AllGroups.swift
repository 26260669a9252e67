extension BenchmarkGroup {
    /// In the order in which they run.
    static let all: [BenchmarkGroup] = [store, folder, watch, write, conflicts]
}
