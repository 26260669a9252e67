import CSQLite
import Foundation
import TestSupport
import Testing

@testable import LLVSCore

/// A store on disk that something else has spoilt: whatever is asked gets the right answer or a store's error.
@Suite("Store: a damaged database", .timeLimit(.minutes(20))) struct StoreCorruptionTests {
    @Test("a row at the end of all numbers is an error of whoever scans, never a trap")
    func lastNumber() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let store = try Store.create(at: path)
            try StoreBuilder(store.storage).save(["a": "1"])
            try store.close()
            var handle: OpaquePointer?
            try #require(sqlite3_open(path + "/store.sqlite", &handle) == SQLITE_OK)
            let sql = "INSERT INTO r_firm VALUES (\(Int64.max), x'ff')"
            try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
            try #require(sqlite3_close(handle) == SQLITE_OK)
            let opened = try Store.open(at: path)
            for level in VerifyLevel.allCases {
                let error = #expect(throws: StoreError.self) { try opened.verify(level) }
                #expect(error?.code == .damaged)
            }
            try opened.close()
        }
    }

    private struct Sample {
        let path: String
        let file: Data
        /// The values of each version.
        let truth: [Version.ID: [Value.ID: String]]
    }

    private func makeSample(in directory: String) throws -> Sample {
        let path = directory + "/store"
        let store = try Store.create(at: path)
        let builder = StoreBuilder(store.storage)
        var truth: [Version.ID: [Value.ID: String]] = [:]
        var values: [Value.ID: String] = [:]
        for number in 0..<40 {
            values[try Value.ID("contact/\(number)")] = "\(number) " + String(repeating: "x", count: 60)
        }
        values["text"] = String(repeating: "again and again ", count: 100)
        var tip = try builder.save(values)
        truth[tip] = values
        for number in 0..<8 {
            let id = try Value.ID("contact/\(number * 5)")
            values[id] = "edit \(number)"
            tip = try builder.save([id: values[id]], on: tip)
            truth[tip] = values
        }
        try store.close()
        let file = try Data(contentsOf: URL(fileURLWithPath: path + "/store.sqlite"))
        return Sample(path: path, file: file, truth: truth)
    }

    /// Opens the store and asks for everything. Whether all of it was right, and what `verify` had to say.
    private func use(_ sample: Sample, _ context: String) throws -> (isRight: Bool, told: Bool) {
        var isRight = true
        func asking(_ body: () throws -> Void) throws {
            do { try body() } catch let error as StoreError {
                isRight = false
                #expect(!error.remedy.isEmpty, "\(context): \(error)")
            }
        }
        var told = false
        try asking {
            let store = try Store.open(at: sample.path)
            defer { #expect(throws: Never.self) { try store.close() } }
            for (version, values) in sample.truth {
                for (id, text) in values {
                    try asking {
                        let found = try store.bytes(of: id, at: version)
                        #expect(found == Array(text.utf8), "\(context): \(id) at \(version)")
                    }
                }
            }
            do { told = try !store.verify().isEmpty } catch is StoreError { told = true }
        }
        return (isRight, told || !isRight)
    }

    @Test("each page, at several places: an error or the right value, never another one")
    func pages() throws {
        try withStorageDirectory { directory in
            let sample = try makeSample(in: directory)
            let file = URL(fileURLWithPath: sample.path + "/store.sqlite")
            let sound = try use(sample, "sound")
            #expect(sound.isRight && !sound.told)
            let pages = sample.file.count / 4_096
            #expect(pages >= 8)
            var (wrong, told) = (0, 0)
            for page in 0..<pages {
                let places = [
                    (1, 2), (9, 3), (100 + page % 7, 1), (2_100, 5), (4_000 - page * 11, 1), (4_090, 4),
                ]
                for (offset, length) in places {
                    var spoilt = sample.file
                    for byte in 0..<length { spoilt[page * 4_096 + offset + byte] ^= 0x15 }
                    for name in try FileManager.default.contentsOfDirectory(atPath: sample.path)
                    where name.hasSuffix("-wal") || name.hasSuffix("-shm") {
                        try FileManager.default.removeItem(atPath: sample.path + "/" + name)
                    }
                    try spoilt.write(to: file)
                    let found = try use(sample, "page \(page + 1), byte \(offset)")
                    if !found.isRight { wrong += 1 }
                    if found.told { told += 1 }
                }
            }
            // Bytes that nothing uses may be spoilt unseen; the others are seen, by reading or by `verify`.
            #expect(wrong > pages && told >= wrong)
        }
    }
}
