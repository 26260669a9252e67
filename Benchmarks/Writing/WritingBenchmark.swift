import FileCoordination
import Foundation

/// Writes of one kind in one folder, ours and bare in turn, a write of each after the other.
struct WritingBenchmark {
    private let place: String
    private let folder: String
    private let count: Int
    private let bytes = [UInt8](repeating: 120, count: 1024)

    init(_ place: String, in folder: String, count: Int) {
        self.place = place
        self.folder = folder
        self.count = count
    }

    func run() throws {
        for durability in [FileDurability.fast, .full] {
            for isNew in [true, false] {
                let ours = CoordinatedFile(durability: durability)
                let bare = BareWriter(isDurable: durability == .full)
                let name = "\(place), \(durability), \(isNew ? "new" : "replaced")"
                try report(
                    name, isNew: isNew, ours: { try ours.write(bytes, to: $0) }, bare: { try bare.write(bytes, to: $0) }
                )
            }
        }
        try batch()
    }

    /// One write at a time, so that both meet the same state of the journal and the machine.
    private func report(
        _ name: String, isNew: Bool, ours: (String) throws -> Void, bare: (String) throws -> Void
    ) throws {
        let clock = ContinuousClock()
        var own: [Duration] = []
        var floor: [Duration] = []
        for number in 0..<count * 5 {
            let path = isNew ? "\(folder)/n\(number)" : "\(folder)/r\(number % 50)"
            if !isNew, number < 50 {
                try ours(path + "o")
                try bare(path + "b")
            }
            let oursFirst = number.isMultiple(of: 2)
            if oursFirst { own.append(try clock.measure { try ours(path + "o") }) }
            floor.append(try clock.measure { try bare(path + "b") })
            if !oursFirst { own.append(try clock.measure { try ours(path + "o") }) }
        }
        print(Measurement(name: name, ours: own.median, floor: floor.median, count: 1).line)
        try clear()
    }

    /// A hundred files at once beside a hundred full writes: what one sync of the folder saves.
    private func batch() throws {
        let contents = (0..<100).map { FileContent(path: "\(folder)/b\($0)", bytes: bytes) }
        let file = CoordinatedFile()
        let bare = BareWriter(isDurable: true)
        let measured = try Measurement.median(
            "\(place), full, a batch of 100", count: 100,
            ours: { _ in try file.writeAll(contents) },
            floor: { _ in for content in contents { try bare.write(content.bytes, to: content.path + "b") } })
        print(measured.line)
        try clear()
    }

    private func clear() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }
}

extension [Duration] {
    fileprivate var median: Duration { sorted()[count / 2] }
}
