import LLVSCore

/// That an attachment never writes plain what it sealed before, and never seals with a key that the others have not.
extension FolderExchange {
    /// - Throws: ``FolderSyncError`` with `.transformMissing` or `.wrongKey` if the transform is not the one the attachment has
    ///   used.
    func checkSeal(_ identity: StoreIdentity) throws {
        guard let known = try sealLabel(), known != folder.seal?.label(in: identity) else { return }
        if known.isAnotherKey(than: folder.seal?.label(in: identity)) {
            throw FolderSyncError.wrongKey(folder.path, known.name)
        }
        throw FolderSyncError.transformMissing(folder.path, known.name)
    }

    /// Whether there is a transform of which it is not known yet that it has the key of the others.
    func isSealUnproved(_ identity: StoreIdentity) throws -> Bool { try folder.seal != nil && sealLabel() == nil }

    /// Settles, once, whether the transform has the key of the others: it opened a file, or there is none that needs another.
    func noteSeal(_ identity: StoreIdentity, _ seen: Retrieval) throws {
        guard let seal = folder.seal, try sealLabel() == nil else { return }
        guard seen.opened > 0 || seen.locked == 0 else {
            throw FolderSyncError.wrongKey(folder.path, seal.transform.name)
        }
        let label = seal.label(in: identity)
        try store.exchange(now: clock()) { try $0.writer.put(label.encoded, for: zones.key(), in: ExchangeZones.seal) }
    }

    private func sealLabel() throws -> SealLabel? {
        try store.inspect { view in
            try view.reader.value(zones.key(), in: ExchangeZones.seal).map { try SealLabel(decoding: $0[...]) }
        }
    }
}
