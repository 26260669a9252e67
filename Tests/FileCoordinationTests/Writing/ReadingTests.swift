import FileCoordination
import TestSupport
import Testing

@Suite("Reading whole files")
struct ReadingTests {
    let folder: TemporaryFolder
    let files = LocalFileSystem()

    init() throws { folder = try TemporaryFolder() }

    @Test
    func theLimitIsInclusive() throws {
        let path = try folder.write("12345", to: "a")
        #expect(try files.readFile(at: path, limit: 5).count == 5)
        #expect { try files.readFile(at: path, limit: 4) } throws: { ($0 as? FileCoordinationError)?.code == .tooLarge }
        #expect(try files.readFile(at: try folder.write("", to: "e"), limit: 0).isEmpty)
    }

    @Test
    func aFileThatStatesNoSizeIsReadToItsEnd() throws {
        // Files of /proc say that they are empty.
        guard try files.attributes(at: "/proc/self", followLinks: true).kind == .directory else { return }
        #expect(try !files.readFile(at: "/proc/self/stat").isEmpty)
        #expect { try files.readFile(at: "/proc/self/stat", limit: 3) } throws: {
            ($0 as? FileCoordinationError)?.code == .tooLarge
        }
    }

    @Test
    func aPartIsReadAndEndsWhereTheFileEnds() throws {
        let path = try folder.write("0123456789", to: "a")
        #expect(try files.readFile(at: path, from: 3, count: 4) == Array("3456".utf8))
        #expect(try files.readFile(at: path, from: 8, count: 1 << 40) == Array("89".utf8))
        #expect(try files.readFile(at: path, from: 100, count: 5).isEmpty)
    }

    @Test(arguments: [1, 7, 4096, 1 << 20])
    func piecesComeInOrderAndNoneIsLargerThanAsked(chunkSize: Int) throws {
        var random = SeededRandom(seed: 5)
        let bytes = random.bytes(20_000)
        try CoordinatedFile(durability: .fast).write(bytes, to: folder("a"))
        var seen: [UInt8] = []
        var largest = 0
        let count = try CoordinatedFile().read(at: folder("a"), chunkSize: chunkSize) { piece in
            largest = max(largest, piece.count)
            seen.append(contentsOf: piece)
        }
        #expect(largest <= chunkSize)
        #expect(seen == bytes)
        #expect(count == 20_000)
    }

    @Test
    func aFileReplacedWhileItIsReadIsReadAsItWas() throws {
        try folder.write(String(repeating: "o", count: 10_000), to: "a")
        var seen: [UInt8] = []
        try CoordinatedFile().read(at: folder("a"), chunkSize: 1000) { piece in
            if seen.isEmpty { try CoordinatedFile(durability: .fast).write([1], to: folder("a")) }
            seen.append(contentsOf: piece)
        }
        #expect(seen == [UInt8](repeating: UInt8(ascii: "o"), count: 10_000))
    }

    @Test
    func aThrowingBodyEndsTheReading() throws {
        struct Stop: Error {}
        let path = try folder.write("0123456789", to: "a")
        let faulty = FaultyFileSystem()
        #expect(throws: Stop.self) {
            try CoordinatedFile(files: faulty).read(at: path, chunkSize: 2) { _ in throw Stop() }
        }
        #expect(faulty.calls.filter { $0.name == "read" }.count == 1)
        #expect(faulty.openFiles == 0)
    }

    @Test
    func everyFailingCallIsToldAndNothingStaysOpen() throws {
        let path = try folder.write("0123456789", to: "a")
        for number in 1...10 {
            let faulty = FaultyFileSystem(fault: .once(call: number, errno: .inputOutput))
            do {
                _ = try faulty.readFile(at: path)
            } catch {
                #expect(error.code == .inputOutput)
                #expect(error.path == path)
            }
            #expect(faulty.openFiles == 0)
        }
    }
}
