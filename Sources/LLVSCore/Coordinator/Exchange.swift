/// A way for versions to travel between stores.
///
/// An exchange brings versions in and sends out what the other side lacks, in any order and number of calls. What is damaged,
/// late or not understood is in the report; an error is thrown only for what stops the exchange as a whole.
public protocol Exchange: Sendable {
    /// What a call did, and what it could not.
    associatedtype Report: ExchangeReport

    /// Brings in every version that can be had.
    func retrieve() async throws -> Report
    /// Sends every firm version that the other side lacks.
    func send() async throws -> Report
}

/// What every exchange can say of a call.
public protocol ExchangeReport: Sendable {
    /// Versions that were added to the store.
    var imported: Int { get }
    /// Versions that were sent.
    var sent: Int { get }
    /// Whether every file or answer was read or classified, so that heads may be merged.
    var isComplete: Bool { get }
    /// Whether versions that others have announced are still on their way.
    var isAwaitingAnnounced: Bool { get }
}
