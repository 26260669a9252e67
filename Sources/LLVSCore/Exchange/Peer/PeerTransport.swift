/// What carries messages between two peers: a local network session, a socket, a pair of queues in a test.
///
/// A transport may lose messages, repeat them and change their order. One that loses none and keeps the order is faster.
public protocol PeerTransport: Sendable {
    /// Hands a message over. Returns when it is on its way; throws if it cannot be.
    func send(_ message: [UInt8]) async throws
    /// The messages of the peer. Read by one consumer; ends with the connection.
    var messages: AsyncStream<[UInt8]> { get }
}

extension StoreError.Code {
    /// The peer does not answer, or is not connected.
    public static let peerUnavailable = StoreError.Code(rawValue: "peerUnavailable")
    /// The peer answered with something that is no answer to what was asked.
    public static let invalidMessage = StoreError.Code(rawValue: "invalidMessage")
}

/// What a peer exchange did.
public struct PeerReport: ExchangeReport, Hashable {
    /// Versions added to the store, those included that the peer pushed since the last call.
    public var imported = 0
    /// Versions sent.
    public var sent = 0
    /// Versions that the peer named and did not give, or whose bytes are wrong, each with the reason.
    public var missing: [Version.ID: String] = [:]
    /// Versions of this store that are too large for a message, and those that build on them.
    public var unsendable: [Version.ID] = []
    /// Whether the peer gave every version that it named.
    public var isComplete = true
    /// Whether versions that the peer pushed wait for others.
    public var isAwaitingAnnounced = false

    /// An empty report.
    public init() {}
}
