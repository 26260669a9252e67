/// A promise that a simulation saw broken.
public struct SimulatedFolderFailure: Error, CustomStringConvertible {
    /// What failed, where, and how to see it again.
    public let description: String

    /// A failure.
    public init(_ description: String) { self.description = description }
}
