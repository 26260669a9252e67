import FolderSync
import Synchronization

/// Turns over bits of every byte: the transform of the documented vector. It hides nothing from anybody.
struct TurningTransform: FolderTransform {
    var name = "example.org/xor"
    var secret = [UInt8](0x40..<0x50)

    func seal(_ bytes: [UInt8]) throws -> [UInt8] { bytes.map { $0 ^ 0x5A } }
    func open(_ sealed: ArraySlice<UInt8>, length: Int) throws -> [UInt8] { sealed.map { $0 ^ 0x5A } }
}

/// Makes other bytes each time, and notices a wrong key, as encryption does. It is none.
final class ScramblingTransform: FolderTransform {
    let name = "example.org/scrambling"
    let secret: [UInt8]
    private let key: UInt8
    private let times = Mutex<UInt8>(0)

    struct Refusal: Error {}

    init(key: UInt8) {
        self.key = key
        secret = [UInt8](repeating: key, count: 20)
    }

    func seal(_ bytes: [UInt8]) throws -> [UInt8] {
        let nonce = times.withLock { times in
            times &+= 1
            return times
        }
        return [nonce, nonce ^ key] + bytes.map { $0 ^ key ^ nonce ^ 0x91 }
    }

    func open(_ sealed: ArraySlice<UInt8>, length: Int) throws -> [UInt8] {
        guard let nonce = sealed.first, sealed.dropFirst().first == nonce ^ key else { throw Refusal() }
        return sealed.dropFirst(2).map { $0 ^ key ^ nonce ^ 0x91 }
    }
}

/// A transform that does not do its work.
struct BrokenTransform: FolderTransform {
    enum Fault: CaseIterable { case throwing, empty, long, lossy }

    let fault: Fault
    let name = "example.org/scrambling"
    let secret = [UInt8](repeating: 7, count: 20)

    struct Failure: Error {}

    func seal(_ bytes: [UInt8]) throws -> [UInt8] {
        switch fault {
        case .throwing: throw Failure()
        case .empty: []
        case .long: bytes + [UInt8](repeating: 0, count: bytes.count / 64 + 4_097)
        case .lossy: [UInt8](bytes.dropLast())
        }
    }

    func open(_ sealed: ArraySlice<UInt8>, length: Int) throws -> [UInt8] { Array(sealed.prefix(length)) }
}
