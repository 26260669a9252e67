/// A cheap look at a place that may change from outside.
public protocol ChangeProbe: Sendable {
    /// Looks once. The fingerprint must change when the place does.
    ///
    /// Throws if the place cannot be looked at now; that is no change. A probe that blocks does so on a thread of its own, as
    /// those of this module do.
    func fingerprint() async throws -> ChangeFingerprint
}

/// A look by a closure, for example a request for an entity tag.
public struct ClosureProbe: ChangeProbe {
    private let look: @Sendable () async throws -> ChangeFingerprint

    /// A probe that calls the closure for each look.
    public init(_ look: @escaping @Sendable () async throws -> ChangeFingerprint) { self.look = look }

    /// What the closure says.
    public func fingerprint() async throws -> ChangeFingerprint { try await look() }
}
