import LLVSCore

extension LaneWriter {
    /// Notes that a file of entries is about to be written under this name. Should the device die after that and the file be
    /// spoiled before it is looked at again, this says what belongs there, so that it is written again and not left for ever.
    ///
    /// Apart from the files that are expected to be there: nothing may stand in for others before it was read back. A piece
    /// needs no note: its version is not published before it, and writes it again under the same name.
    func announce(_ content: OwnFile.Content, at relative: String) throws {
        guard case .entries = content else { return }
        try store.exchange(now: now) {
            try $0.writer.put(
                OwnFile(content: content, confirmed: nil).encoded, for: zones.key(Array(relative.utf8)),
                in: ExchangeZones.begun)
        }
    }
}
