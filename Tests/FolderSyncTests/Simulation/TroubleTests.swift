import FileCoordination
import FolderSync
import Foundation
import LLVSCore
import TestSupport
import Testing

/// A folder that cannot be used: a typed error, nothing written, nothing lost.
@Suite struct TroubleTests {
    /// The code of the error that `body` throws, and proof that it wrote nothing below the directory.
    private func refusal(of tree: SimulatedFolderTree, _ body: () throws -> Void) throws -> FolderSyncError.Code? {
        let before = try tree.looks()
        let error = #expect(throws: FolderSyncError.self, performing: body)
        #expect(try tree.looks() == before)
        #expect(error?.remedy.isEmpty == false && error?.path != nil)
        return error?.code
    }

    @Test func foldersThatAreNotOursAreRefused() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let store = Store(storage: MemoryStorage())
            let tree = SimulatedFolderTree(directory)
            let places = ["empty", "photos"].map { SimulatedFolderTree(directory + "/" + $0) }
            for place in places { try place.make() }
            try places[1].write([1, 2, 3], to: "cat.jpg")
            try tree.write([1], to: "file")
            func attach(_ name: String, creating: Bool) throws -> FolderSyncError.Code? {
                try refusal(of: tree) {
                    try FolderExchange.attach(store, to: "\(directory)/\(name)", creating: creating)
                }
            }
            #expect(try attach("nowhere", creating: false) == .folderMissing)
            #expect(try attach("nowhere/deeper", creating: true) != nil)
            #expect(try attach("empty", creating: false) == .folderEmptyOrUnmounted)
            #expect(try attach("photos", creating: false) == .folderEmptyOrUnmounted)
            #expect(try attach("photos", creating: true) == .folderNotEmpty)
            #expect(try attach("file", creating: false) == .folderMissing)
            #expect(try attach("file", creating: true) != nil)
            #expect(try FolderExchange.identity(of: store) == nil)
            #expect(try FolderExchange.attachments(of: store).isEmpty)
        }
    }

    @Test func aStoreAndAFolderInsideOneAnotherAreRefused() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let tree = SimulatedFolderTree(directory)
            let store = try Store.create(at: directory + "/store")
            for folder in [
                directory, directory + "/store", directory + "/store/folder", directory + "/./store/../store",
            ] {
                let code = try refusal(of: tree) { try FolderExchange.attach(store, to: folder, creating: true) }
                #expect(code == .overlappingPaths, "\(folder)")
            }
            try store.close()
        }
    }

    @Test func cardsThatAreTornDamagedOrTwoAreNoCards() async throws {
        try await SimulatedFolderGroup.with(1) { group in
            let a = group.devices[0]
            let name = try #require(try a.replica.list().first)
            let card = try #require(try a.replica.read(name))
            try await a.save("k", "1")
            var flipped = card
            flipped[card.count - 10] ^= 1
            let wrong: [([UInt8], FolderSyncError.Code)] = [
                ([], .cardArriving), (Array(card.prefix(40)), .cardArriving), (flipped, .cardDamaged),
                ([UInt8](repeating: 0, count: card.count), .cardDamaged),
            ]
            for (bytes, code) in wrong {
                try a.replica.write(bytes, to: name)
                let before = try a.replica.looks()
                let error = await #expect(throws: FolderSyncError.self) { try await a.pass() }
                #expect(error?.code == code)
                #expect(try a.replica.looks() == before)
            }
            try a.replica.write(card, to: name)
            var other = SimulatedFolderRandom(seed: 5)
            let second = IdentityCard(store: .random(using: &other))
            try a.replica.write(second.encoded, to: second.fileName.text)
            let before = try a.replica.looks()
            let error = await #expect(throws: FolderSyncError.self) { try await a.pass() }
            #expect(error?.code == .secondCard)
            #expect(try a.replica.looks() == before)
            try a.replica.remove(second.fileName.text)
            #expect(try await a.pass().report.sent == 1)
        }
    }

    @Test func whatIsNamedLikeACardAndIsNoneIsInNobodysWay() async throws {
        try await SimulatedFolderGroup.with(1) { group in
            let a = group.devices[0]
            try a.replica.write([UInt8](repeating: 1, count: 2 << 20), to: "photos.store")
            try a.replica.write([1], to: "music.store/song")
            try FileManager.default.createSymbolicLink(
                atPath: a.replica.url("link.store"), withDestinationPath: "photos.store")
            try await a.save("k", "1")
            #expect(try await a.pass().report.sent == 1)
        }
    }

    @Test func aDiskThatIsFullAtAnyWriteLosesNothing() async throws {
        for failing in 1... {
            let wasFull = try await SimulatedFolderGroup.with(2, sharing: true, onDisk: false) { group in
                let (a, b) = (group.devices[0], group.devices[1])
                var random = SimulatedFolderRandom(seed: 6)
                try await a.save([.insert(Value(id: "big", bytes: random.bytes(30_000))), .insert(Value(id: "k", "1"))])
                let fault = CountedFault(.noSpace, at: failing) { $0.kind.changes && $0.kind != .remove }
                let exchange = FolderExchange(
                    store: a.store, attachment: a.exchange.attachment, files: fault.files, pause: { _ in })
                let outcome = try await exchange.pass(a.coordinator)
                if fault.hasHappened {
                    #expect(outcome.sendFailure?.code == .noSpace)
                    #expect(outcome.report.waiting.contains { $0.reason.hasSuffix("1 version waits") })
                    #expect(!(try a.replica.everyName().contains { $0.contains("~") }))
                }
                #expect(try await a.pass().sendFailure == nil)
                #expect(try await b.pass().report.imported == 1)
                try await group.settle()
                #expect(try group.brokenPromises().isEmpty)
                return fault.hasHappened
            }
            if !wasFull { return #expect(failing > 5) }
        }
    }
}
