import FileCoordination
import LLVSCore
import TestSupport
import Testing

@testable import FolderSyncCommand

@Suite("Mirror, record")
struct MirrorRecordTests {
    private func content(_ text: String) throws -> MirrorContent {
        MirrorContent(hash: SHA256.hash(Array(text.utf8)), size: UInt64(text.utf8.count), version: .root)
    }

    @Test("Every entry reads back, and damaged ones are an error")
    func roundTrip() throws {
        let (a, b) = (try content("a"), try content("bb"))
        for entry in [
            MirrorEntry(settled: a), MirrorEntry(settled: a, pending: .write(b)), MirrorEntry(pending: .write(b)),
            MirrorEntry(settled: a, pending: .deletion),
        ] {
            #expect(try MirrorEntry(decoding: entry.encoded) == entry)
            for count in 0..<entry.encoded.count {
                #expect(throws: (any Error).self) { try MirrorEntry(decoding: Array(entry.encoded.prefix(count))) }
            }
        }
    }

    @Test("Records of directories are apart, also where the name of one begins that of the other")
    func apart() throws {
        let store = Store(storage: MemoryStorage())
        #expect(try !MirrorRecord.isMirrored(store))
        var (short, long) = (
            try MirrorRecord(of: RealPath("/nowhere/a"), in: store),
            try MirrorRecord(of: RealPath("/nowhere/ab"), in: store)
        )
        let path = RelativePath(trusted: Array("x/y".utf8))
        try short.update([(path, MirrorEntry(settled: try content("a")))])
        try long.setInode(1 << 40 + 7)
        #expect(try MirrorRecord(of: RealPath("/nowhere/a"), in: store).entries == short.entries)
        #expect(try MirrorRecord(of: RealPath("/nowhere/a"), in: store).inode == nil)
        #expect(try MirrorRecord(of: RealPath("/nowhere/ab"), in: store).entries.isEmpty)
        #expect(try MirrorRecord(of: RealPath("/nowhere/ab"), in: store).inode == 1 << 40 + 7)
        #expect(try MirrorRecord.isMirrored(store))
    }
}
