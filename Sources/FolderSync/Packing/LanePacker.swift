import FileCoordination
import LLVSCore

/// Packs small files of the own lane into larger ones. The records go over byte by byte, so that nothing is made anew.
///
/// Interrupted anywhere, it leaves the old files, or the new one beside them: a file that was written and not noted is found
/// by the next retrieve.
struct LanePacker {
    let own: OwnEntries
    let writer: LaneWriter

    /// No more bytes of bodies than this are packed in one pass.
    static let mostBytes: UInt64 = 8 << 20

    /// Packs what is due, within the limit of a pass. Returns how many files went into larger ones.
    static func run(_ own: OwnEntries, writer: () throws -> LaneWriter) throws -> Int {
        var count = 0
        var bytes: UInt64 = 0
        var blocked: Set<String> = []
        var packer: LanePacker?
        while bytes < mostBytes {
            let (files, end) = try own.store.inspect { view in
                (
                    try OwnFileRecords(zones: own.zones).entries(in: view.reader),
                    try own.zones.attachmentRecord(in: view.reader).published
                )
            }
            let apart = Self.apart(files.filter { !blocked.contains($0.path) })
            let plan = apart.map { PackingPlan.File(range: $0.range, length: $0.file.plainLength ?? 0) }
            guard let run = PackingPlan.next(plan, end: end) else { return count }
            try Task.checkCancellation()
            let current = try packer ?? LanePacker(own: own, writer: try writer())
            packer = current
            switch try current.pack(apart[run]) {
            case .packed(let length):
                count += run.count
                bytes += length
            case .noted: continue
            case .cannot(let path): blocked.insert(path)
            }
        }
        return count
    }

    typealias File = (path: String, file: OwnFile, range: ClosedRange<UInt64>)

    /// Without files that begin before the one ahead ends.
    private static func apart(_ files: [File]) -> [File] {
        var end: UInt64 = 0
        return files.filter { file in
            guard file.range.lowerBound > end else { return false }
            end = file.range.upperBound
            return true
        }
    }

    private enum Outcome {
        case packed(UInt64)
        /// Lengths that were not known before.
        case noted
        /// This file is not as it was written.
        case cannot(String)
    }

    private func pack(_ files: ArraySlice<File>) throws -> Outcome {
        if files.contains(where: { $0.file.plainLength == nil }) { return try noteLengths(files) }
        guard let first = files.first, let last = files.last else { return .noted }
        let range = first.range.lowerBound...last.range.upperBound
        let start = try own.store.inspect { try own.outbox.chain(at: range.lowerBound - 1, in: $0.reader) }
        var builder = EntriesFileBuilder(store: own.identity, lane: own.zones.lane, after: start)
        for file in files {
            guard let sound = try own.read(file.path, file.range) else { return .cannot(file.path) }
            let records = try sound.container.plainBody()
            guard sound.header.before == builder.after, records.count == Int(file.file.plainLength ?? 0) else {
                return .cannot(file.path)
            }
            builder.append(records, upTo: sound.header.after)
        }
        try writer.write(builder, seen: try writer.whatIsSeen())
        return .packed(UInt64(builder.length))
    }

    /// Notes the lengths of bodies of files that were written before these were noted.
    private func noteLengths(_ files: ArraySlice<File>) throws -> Outcome {
        var found: [(String, OwnFile)] = []
        for file in files where file.file.plainLength == nil {
            guard let sound = try own.read(file.path, file.range) else { return .cannot(file.path) }
            var noted = file.file
            noted.plainLength = sound.container.header.plainLength
            found.append((file.path, noted))
            if found.count == 1_000 { break }
        }
        try own.store.exchange(now: writer.now) { transaction in
            for (path, file) in found {
                try transaction.writer.put(
                    file.encoded, for: own.zones.key(Array(path.utf8)), in: ExchangeZones.own)
            }
        }
        return .noted
    }
}
