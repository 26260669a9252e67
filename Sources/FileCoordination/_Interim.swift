public actor PathSerializer {
    private var tail: Task<Void, Never>?
    public init() {}
    public func enqueueThrowing<Success: Sendable>(path: String, _ body: @escaping @Sendable () async throws -> Success) async throws -> Success {
        let previous = tail
        let task = Task { () -> Result<Success, any Error> in
            await previous?.value
            do { return .success(try await body()) } catch { return .failure(error) }
        }
        tail = Task { _ = await task.value }
        return try await task.value.get()
    }
}
extension FileSystem {
    public func mayWrite(_ path: String) -> Bool { true }
}
