import LLVSCore

extension SharedFolder.Signature {
    /// The size as it is noted of a file that was taken in.
    var sizeBytes: [UInt8] { withUnsafeBytes(of: size.littleEndian) { Array($0) } }

    /// Whether the file can be the one that was noted as taken in. Of another size, its bytes are others; times say nothing.
    func agrees(with mark: [UInt8]) -> Bool { mark.count != sizeBytes.count || mark == sizeBytes }
}

extension Retrieval {
    /// Forgets files of entries that are gone, where a file that is there and was taken in has all their numbers: their owner
    /// packed them, or they were in a snapshot.
    ///
    /// Nothing is lost by it. A file that comes back is read again, which adds nothing and notes it again; whether it is cared
    /// for is its owner's affair. A file that is gone and that nothing stands in for stays noted, and so does one that cannot be
    /// seen now.
    func forgetReplaced(_ listing: SharedFolder.Listing) throws {
        let listed = Set(listing.files.map(\.path))
        let gone = try store.inspect { view -> [[UInt8]] in
            var gone: [(key: [UInt8], directory: String, range: ClosedRange<UInt64>)] = []
            var there: [String: [ClosedRange<UInt64>]] = [:]
            try zones.scan(ExchangeZones.taken, in: view.reader) { key, _ in
                let path = String(decoding: key, as: UTF8.self)
                guard let slash = path.lastIndex(of: "/"),
                    case .entries(let from, let to, _) = FolderFileName(String(path[path.index(after: slash)...]))
                else { return true }
                let directory = String(path[..<slash])
                if listed.contains(path) {
                    there[directory, default: []].append(from...to)
                } else if listing.shows(path) {
                    gone.append((key, directory, from...to))
                }
                return gone.count < Self.mostForgotten
            }
            return gone.filter { file in there[file.directory]?.contains { $0.contains(file.range) } ?? false }.map(
                \.key)
        }
        if gone.isEmpty { return }
        try store.exchange(now: now) { transaction in
            for key in gone { try transaction.writer.remove(zones.key(key), in: ExchangeZones.taken) }
        }
    }

    /// No more are looked at in one pass; the others wait for the next.
    private static let mostForgotten = 20_000
}
