import LLVSCore

/// What a store knows of a lane of a folder.
public struct LaneStatus: Hashable, Sendable {
    /// The lane.
    public let lane: LaneID
    /// Whether it is this attachment's own.
    public let isMine: Bool
    /// Whether a note says that nobody writes it any more.
    public let isRetired: Bool
    /// The last of its entries that any file tells of. Of the own lane: the last that was numbered.
    public let known: UInt64
    /// The last entry up to which all are here. Of the own lane: up to which all were sent.
    public let here: UInt64
}

extension FolderExchange {
    /// Every lane of the folder that is known of, the own one first, from the store alone.
    public func lanes() throws -> [LaneStatus] {
        try store.inspect { view in
            guard let identity = try Self.identity(in: view.reader) else { return [] }
            let zones = try ExchangeZones(attachment: attachment.id, in: view.reader)
            let record = try zones.attachmentRecord(in: view.reader)
            let knowledge = LaneKnowledge(zones: zones, reader: view.reader)
            let own = LaneStatus(
                lane: zones.lane, isMine: true, isRetired: false, known: record.last.sequence, here: record.published)
            return try [own]
                + knowledge.lanes().filter { $0 != zones.lane }.map { lane in
                    LaneStatus(
                        lane: lane, isMine: false, isRetired: try knowledge.isRetired(lane),
                        known: try knowledge.announced(lane),
                        here: try knowledge.contiguous(lane, in: identity).sequence)
                }
        }
    }
}
