import Synchronization
import TestSupport
import Testing

@testable import LLVSCore

/// One end of a line between two peers in this process. `alter` makes what arrives of each message that is sent.
private final class PeerLine: PeerTransport {
    let messages: AsyncStream<[UInt8]>
    private let input: AsyncStream<[UInt8]>.Continuation
    private let far = Mutex<(PeerLine?, @Sendable ([UInt8]) -> [[UInt8]])>((nil, { [$0] }))

    init() { (messages, input) = AsyncStream.makeStream() }

    func connect(to line: PeerLine, altering alter: @escaping @Sendable ([UInt8]) -> [[UInt8]] = { [$0] }) {
        far.withLock { $0 = (line, alter) }
    }

    func send(_ message: [UInt8]) async throws {
        let (line, alter) = far.withLock { $0 }
        for arriving in alter(message) { line?.input.yield(arriving) }
    }

    func deliver(_ message: PeerMessage) { input.yield(message.encoded) }
    func deliver(_ bytes: [UInt8]) { input.yield(bytes) }
}

@Suite("Exchange with a peer") struct PeerExchangeTests {
    private let one = StoreBuilder()
    private let two = StoreBuilder()
    private let left = PeerLine()
    private let right = PeerLine()

    /// One that waits for its answers as long as it takes: among many tests a turn may take longer than a network.
    private func exchange(
        _ builder: StoreBuilder, _ line: PeerLine, _ limits: PeerExchange.Limits = PeerExchange.Limits()
    ) -> PeerExchange {
        var limits = limits
        limits.timeout = .seconds(3_600)
        return PeerExchange(store: builder.store, transport: line, limits: limits)
    }

    /// Runs `body` while the exchanges answer.
    private func running(_ exchanges: PeerExchange..., body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for exchange in exchanges { group.addTask { try await exchange.run() } }
            for exchange in exchanges { #expect(await eventually { await exchange.isRunning }) }
            try await body()
            group.cancelAll()
        }
    }

    /// A history of `count` versions, one after the other.
    @discardableResult
    private func chain(_ builder: StoreBuilder, _ count: Int) throws -> [Version.ID] {
        var ids: [Version.ID] = []
        for number in 0..<count {
            ids.append(try builder.save(["n": "\(number)"], on: ids.last ?? .root))
        }
        return ids
    }

    @Test("both sides get what the other has, LLVS's versions too, in pieces, and then nothing more")
    func bothWays() async throws {
        left.connect(to: right)
        right.connect(to: left)
        let folder = try LLVSNotes.exchangeFolder()
        _ = try await FileSystemExchange(store: one.store, folder: folder.path).retrieve()
        try chain(two, 20)
        var limits = PeerExchange.Limits()
        limits.idsAtOnce = 7
        limits.bytesAtOnce = 700
        let (mine, yours) = (exchange(one, left, limits), exchange(two, right, limits))
        try await running(mine, yours) {
            let report = try await mine.retrieve()
            #expect(report.imported == 20 && report.isComplete)
            #expect(try await mine.send().sent == 31)
            let isIn = try await eventually { try two.store.versionCount() == 51 }
            #expect(isIn)
            #expect(try two.store.contents() == one.store.contents())
            #expect(try await yours.retrieve().imported == 31)
            #expect(try await yours.send().sent == 0)
            #expect(try await mine.retrieve() == PeerReport())
        }
    }

    @Test("versions pushed in any order are held until their parents come; beyond the bound they are asked for")
    func outOfOrder() async throws {
        let ids = try chain(one, 12)
        var parcels = try one.store.inspect { view in try ids.compactMap { try PeerParcel(view.outgoing($0)) } }
        parcels.reverse()
        var limits = PeerExchange.Limits()
        for most in [100, 3] {
            let builder = StoreBuilder()
            let (near, far) = (PeerLine(), PeerLine())
            near.connect(to: far)
            far.connect(to: near)
            limits.mostHeldVersions = most
            let (mine, yours) = (exchange(one, far), exchange(builder, near, limits))
            try await running(mine, yours) {
                for parcel in parcels { near.deliver(.push([parcel])) }
                let whole = most == 100 ? 12 : 1
                let isIn = try await eventually { try builder.store.versionCount() == whole }
                #expect(isIn)
                #expect(try await yours.retrieve().isComplete)
                #expect(try builder.store.contents() == one.store.contents())
            }
        }
    }

    @Test("no answer, no connection, and an exchange that does not run are typed errors that may be tried again")
    func unavailable() async throws {
        let silent = PeerExchange(store: one.store, transport: left, pause: { _ in })
        await #expect { try await silent.retrieve() } throws: { ($0 as? StoreError)?.code == .peerUnavailable }
        try await running(silent) {
            await #expect { try await silent.retrieve() } throws: {
                ($0 as? StoreError)?.code == .peerUnavailable && ($0 as? StoreError)?.isRetryable == true
            }
        }
    }

    @Test("fewer, more and other answers than asked for are reported or ignored")
    func wrongAnswers() async throws {
        let ids = try chain(one, 3)
        let unknown = try Version.ID("unknown")
        let parcels = try one.store.inspect { view in try ids.compactMap { try PeerParcel(view.outgoing($0)) } }
        let mine = exchange(two, right)
        right.connect(to: right) { [right] bytes in
            let message: PeerMessage
            do { message = try PeerMessage(decoding: bytes) } catch { return [] }
            switch message {
            case .whichFrom(let request, let start):
                right.deliver(.these(request + 5, next: 9, []))
                return [PeerMessage.these(request, next: 4, start == 1 ? [ids[0], unknown, ids[1]] : []).encoded]
            case .give(let request, _):
                // The third was not asked for, the second is left out, the unknown one is not given.
                return [[], [1, 2, 3], PeerMessage.here(request, [parcels[2], parcels[0]]).encoded]
            default: return []
            }
        }
        try await running(mine) {
            let report = try await mine.retrieve()
            #expect(report.imported == 1)
            #expect(Set(report.missing.keys) == [unknown, ids[1]])
            #expect(!report.isComplete)
            #expect(try two.store.versionCount() == 1)
        }
    }

    @Test("bytes changed at random do no harm", arguments: [1, 2] as [UInt64])
    func fuzz(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let ids = try chain(one, 3)
        let parcels = try one.store.inspect { view in try ids.compactMap { try PeerParcel(view.outgoing($0)) } }
        let messages: [PeerMessage] = [
            .push(parcels), .whichFrom(1, .min), .these(1, next: .max, ids), .give(1, ids), .here(1, parcels),
        ]
        let mine = exchange(two, right)
        try await running(mine) {
            for number in 0..<400 {
                var bytes = messages[number % messages.count].encoded
                if number >= messages.count {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                    if number.isMultiple(of: 3) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
                }
                right.deliver(bytes)
            }
            let isIn = try await eventually { try ids.allSatisfy(two.store.contains) }
            #expect(isIn)
        }
        #expect(try two.store.verify().isEmpty)
        // A changed id is a foreign one, which proves nothing: another version.
        let contents = try two.store.contents()
        for (id, digests) in try one.store.contents() { #expect(contents[id] == digests) }
    }
}
