import LLVSCore

extension FolderSeal {
    /// A file as it is written with this transform. What was sealed is opened again first: bytes that nobody could read again
    /// are not written.
    package func seal(_ file: FolderFile.Encoded) throws -> FolderFile.Encoded {
        guard let plain = FolderFile.decode(file.bytes).verified else {
            preconditionFailure("A file to seal is whole.")
        }
        let sealed: [UInt8]
        do {
            sealed = try transform.seal(file.bytes)
            let isRight =
                try !sealed.isEmpty
                && UInt64(sealed.count) <= Self.greatestSealedLength(of: UInt64(file.bytes.count))
                && transform.open(sealed[...], length: file.bytes.count) == file.bytes
            if !isRight { throw WrongResult() }
        } catch {
            throw FolderSyncError.cannotSeal(transform.name, error)
        }
        let (bytes, digest) = encode(plain.header, sealed)
        return FolderFile.Encoded(name: name(of: file, digest, plain.header.store), bytes: bytes, digest: digest)
    }

    private func name(of file: FolderFile.Encoded, _ digest: Digest, _ store: StoreIdentity) -> FolderFileName {
        if case .entries(let from, let to, _) = file.name {
            return .entries(from: from, to: to, hash: NameHash(digest))
        }
        return hide(file.name, in: store)
    }

    private func encode(_ plain: FolderFile.Header, _ sealed: [UInt8]) -> ([UInt8], Digest) {
        let label = label(in: plain.store).encoded
        let total = FolderFile.Header.byteCount + label.count + sealed.count + FolderFile.trailerByteCount
        var writer = ByteWriter(reserving: total)
        FolderFile.Header(
            kind: plain.kind, coding: FolderFile.Header.stored, requiredFeatures: FolderFile.Header.sealed,
            totalLength: UInt64(total), store: plain.store, lane: plain.lane, plainLength: plain.totalLength,
            storedLength: UInt64(sealed.count), ownHeaderLength: UInt32(label.count)
        ).encode(into: &writer)
        writer.append(label)
        writer.append(sealed)
        let digest = SHA256.hash(writer.bytes)
        writer.append(digest)
        return (writer.bytes, digest)
    }

    /// The file that a verified sealed one holds. It has the sealed one's trailer, by which names know it.
    static func open(_ file: FolderFile, with seal: FolderSeal?) -> FolderFileOutcome<FolderFile> {
        let label: SealLabel
        do {
            label = try SealLabel(decoding: file.ownHeader, allowingMore: file.header.optionalFeatures != 0)
        } catch {
            return .damaged(error.what)
        }
        if let refusal = label.refusal(by: seal?.label(in: file.header.store)) { return .future(refusal) }
        guard let seal else { return .future("it is sealed") }
        return seal.open(file)
    }

    /// What cannot be opened is not called damaged: with the right key it may be sound, and damaged files are written again.
    private func open(_ file: FolderFile) -> FolderFileOutcome<FolderFile> {
        let opened: [UInt8]
        do {
            opened = try transform.open(file.storedBody, length: Int(file.header.plainLength))
        } catch {
            return .future("'\(transform.name)' cannot open it: \(error)")
        }
        guard opened.count == file.header.plainLength, case .verified(let plain) = FolderFile.decode(opened),
            plain.header.kind == file.header.kind, plain.header.store == file.header.store,
            plain.header.lane == file.header.lane
        else { return .future("'\(transform.name)' does not make a file of the folder of it") }
        return .verified(FolderFile(header: plain.header, bytes: plain.bytes, digest: file.digest, wasSealed: true))
    }

    /// The label of a sealed file, whose bytes are verified.
    static func label(of bytes: [UInt8]) -> SealLabel? {
        guard case .header(let header) = FolderFile.peek(bytes[...], fileLength: UInt64(bytes.count)), header.isSealed
        else { return nil }
        let own = bytes.dropFirst(FolderFile.Header.byteCount).prefix(Int(header.ownHeaderLength))
        do {
            return try SealLabel(decoding: own, allowingMore: header.optionalFeatures != 0)
        } catch {
            return nil
        }
    }
}

private struct WrongResult: Error, CustomStringConvertible {
    let description = "what it made cannot be opened again, or is too long"
}
