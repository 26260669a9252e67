public import LLVSCore

/// What a device promised to its user, and what it was seen to have.
public struct SimulatedFolderLedger: Sendable {
    /// Versions that a save returned: they must never be lost anywhere.
    public var acknowledged: [Version.ID] = []
    /// Versions that were current here: an edit may be based on any.
    public var seen: [Version.ID] = [.root]
    /// The lanes that it ever had.
    var lanes: Set<String> = []
    /// How many firm versions there were: never fewer.
    public var firmCount = 0

    /// Of a device that promised nothing yet.
    public init() {}

    /// A backup was restored: what came after it is not there, and whoever restored it knows that.
    mutating func goBack(to backup: SimulatedFolderLedger) {
        let lanes = lanes
        self = backup
        self.lanes = lanes
    }
}
