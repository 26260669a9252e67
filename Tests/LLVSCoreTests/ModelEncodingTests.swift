import LLVSCore
import Testing

/// The encodings are frozen: these bytes and ids were made by another program, from the description of the format.
@Suite("Model: encoding 1") struct ModelEncodingTests {
    @Test func rootIsKnown() throws {
        #expect(Version.ID.root.description == "4yacbhdidwbihrp3dhz4k3viz4bkd5fpwkbuomnkljf32hynayda")
        #expect(try Version.ID.root.description == ModelVector.load().root)
        #expect(Version.root.generation == 0)
        #expect(Version.root.id == .root)
        #expect(Version.root.basis == .root)
    }

    @Test func partsComeToTheKnownBytes() throws {
        let vectors = try ModelVector.load().vectors
        #expect(vectors.count == 9)
        for vector in vectors {
            let record = try vector.record()
            #expect(record.changesBytes.hex == (try vector.bytes("=changes")).hex, "\(vector.title)")
            #expect(record.header.hex == (try vector.bytes("=header")).hex, "\(vector.title)")
            #expect(record.id.description == (try vector.text("=id")), "\(vector.title)")
            #expect(record.id.isNative != vector.isForeign)
            #expect(record.digest == SHA256.hash(record.header + record.changesBytes))
        }
    }

    @Test func knownBytesReadBackAsTheirParts() throws {
        for vector in try ModelVector.load().vectors {
            let id = try Version.ID(try vector.text("=id"))
            let read = try VersionRecord(
                decodingHeader: try vector.bytes("=header"), changes: try vector.bytes("=changes"), id: id,
                allowingForeign: vector.isForeign)
            #expect(read == (try vector.record()), "\(vector.title)")
        }
    }

    @Test func oneVersionByHand() throws {
        let changes = try ChangeList([
            ChangeList.Entry(id: "a", operation: .insert, contentHash: SHA256.hash([UInt8]("hello".utf8)))
        ])
        let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        let zero = String(repeating: "00", count: 32)
        #expect(changes.encoded.hex == "4c4c565363686731" + "01000000" + "01000000" + "61" + "01" + hello + zero)
        let record = try VersionRecord(
            kind: .authored, parents: [.root], basis: .root, generation: 1,
            stamp: Stamp(milliseconds: 0x0102_0304_0506_0708, counter: 0x0a0b_0c0d), time: -2,
            metadata: Version.Metadata(["k": [0xff]]), changes: changes)
        let parts = [
            "4c4c565376657231", "0100", "01", "00", "00", "0100000000000000", "0807060504030201", "0d0c0b0a",
            "feffffffffffffff", "01000000", "01000000", "6b", "01000000", "ff", changes.digest.bytes.hex,
        ]
        #expect(record.header.hex == parts.joined())
        #expect(record.id == Version.ID(SHA256.hash(record.header)))
        #expect(record.version.basis == .root)
    }

    @Test func entriesAndParentsMayComeInAnyOrder() throws {
        let merge = try ModelVector.record("merge with preserve and preserveRemoval")
        let version = merge.version
        #expect(version.parents == version.parents.sorted())
        let again = try VersionRecord(
            kind: .merge, parents: version.parents.reversed() + [.root], basis: version.basis,
            generation: version.generation, stamp: version.stamp, time: version.time, metadata: version.metadata,
            changes: try ChangeList(merge.changes.entries.reversed()))
        #expect(again == merge)
    }

    @Test func changeIsFoundByItsID() throws {
        let changes = try ModelVector.record("authored, with metadata and a branch").changes
        for entry in changes.entries { #expect(changes[entry.id] == entry) }
        #expect(changes["absent"] == nil)
        #expect(changes["zzz"] == nil)
        #expect(ChangeList.empty["a"] == nil)
    }
}
