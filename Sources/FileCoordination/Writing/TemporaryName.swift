import CPlatform
import Foundation
import Synchronization

/// The name of a file that this package is still writing.
///
/// `~syncthing~fc-<boot><pid><start><number>.tmp`: Syncthing skips the prefix; Dropbox, Nextcloud, OneDrive, Seafile and
/// MEGA skip `~….tmp`. Boot, process and start of the process say whether the writer can still be alive. They and the number are
/// digits of base 32 (`0` to `v`) in fixed widths, 39 bytes in all whatever the target is called: Linux keeps names up to that length
/// in the directory entry itself, and longer ones cost a write in memory a thirtieth more.
struct TemporaryName: Hashable, Sendable {
    var writer: WriterIdentity
    /// 35 bits.
    var number: UInt64

    static let prefix = "~syncthing~fc-"
    static let suffix = ".tmp"
    /// Digits of the boot, the process, its start, and the number.
    private static let widths = [5, 5, 4, 7]

    /// A new one of this process.
    static func fresh() -> TemporaryName {
        TemporaryName(writer: .current, number: nextNumber())
    }

    /// Lends the bytes of a new name of this process, without making a string of it.
    static func withFreshName<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        let number = nextNumber()
        return withUnsafeTemporaryAllocation(byteCount: template.count, alignment: 1) { buffer in
            buffer.copyBytes(from: template)
            let end = template.count - 1 - suffix.utf8.count
            for place in 0..<widths[3] { buffer[end - 1 - place] = base32Digit(number >> UInt64(5 * place)) }
            guard let start = buffer.baseAddress else { return body("") }
            return body(start.assumingMemoryBound(to: CChar.self))
        }
    }

    /// A name with a NUL at its end.
    private static let template = Array(TemporaryName(writer: .current, number: 0).name.utf8) + [0]

    /// The path of a new one of this process in the folder.
    static func freshPath(in folder: String) -> String { FilePlace.join(folder, fresh().name) }

    /// Counted from a random start: unlike within the process, and unlike those of a process with the same number in
    /// another container. `O_EXCL` does the rest.
    private static func nextNumber() -> UInt64 {
        lastNumber.wrappingAdd(1, ordering: .relaxed).newValue & 0x7_FFFF_FFFF
    }

    var name: String {
        let fields = [UInt64(writer.boot), UInt64(UInt32(bitPattern: writer.process)), UInt64(writer.start), number]
        var digits: [UInt8] = []
        for (field, width) in zip(fields, Self.widths) {
            for place in 1...width { digits.append(base32Digit(field >> UInt64(5 * (width - place)))) }
        }
        return Self.prefix + String(decoding: digits, as: UTF8.self) + Self.suffix
    }
}

private func base32Digit(_ number: UInt64) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: number & 31)
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
}

extension TemporaryName {
    /// Nil for every name that is not exactly one of ours.
    init?(_ name: String) {
        guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix), name.utf8.count < 100 else { return nil }
        let middle = name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)
        if middle.utf8.contains(UInt8(ascii: "-")) {
            self.init(long: middle)
        } else {
            self.init(digits: Array(middle.utf8))
            // Other spellings of the same numbers are not ours.
            guard self.name == name else { return nil }
        }
    }

    private init?(digits: [UInt8]) {
        guard digits.count == Self.widths.reduce(0, +) else { return nil }
        var (fields, start): ([UInt64], Int) = ([], 0)
        for width in Self.widths {
            guard let field = UInt64(String(decoding: digits[start..<start + width], as: UTF8.self), radix: 32) else {
                return nil
            }
            fields.append(field)
            start += width
        }
        let process = Int32(truncatingIfNeeded: fields[1])
        self.init(writer: WriterIdentity(boot: fields[0], process: process, start: fields[2]), number: fields[3])
    }

    /// As names were written before: the same fields in hexadecimal with hyphens between.
    private init?(long middle: Substring) {
        let parts = middle.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, let boot = UInt32(parts[0], radix: 16), let process = Int32(parts[1], radix: 16),
            let start = UInt64(parts[2], radix: 16), let number = UInt64(parts[3], radix: 16),
            // Other spellings of the same numbers ("+1", "0A") are not ours.
            [UInt64(boot), UInt64(UInt32(bitPattern: process)), start, number].map({ String($0, radix: 16) })
                .elementsEqual(parts, by: { $0[...] == $1 })
        else { return nil }
        self.init(writer: WriterIdentity(boot: UInt64(boot), process: process, start: start), number: number)
    }
}

private let lastNumber = Atomic<UInt64>(.random(in: 0 ... .max))

/// Which run of which process on which boot of which machine wrote something.
struct WriterIdentity: Hashable, Sendable {
    /// 25 bits of what tells boots of all machines apart.
    var boot: UInt32
    var process: Int32
    /// 20 bits of the time of its start.
    var start: UInt32

    init(boot: UInt64, process: Int32, start: UInt64) {
        self.boot = UInt32(truncatingIfNeeded: boot & 0x1FF_FFFF)
        self.process = process
        self.start = UInt32(truncatingIfNeeded: start & 0xF_FFFF)
    }

    static let current = WriterIdentity(
        boot: bootToken(), process: ProcessInfo.processInfo.processIdentifier,
        start: startTime(of: ProcessInfo.processInfo.processIdentifier) ?? 0)

    /// Nil if that cannot be known: another machine, or another boot of this one.
    var isAlive: Bool? {
        guard boot == Self.current.boot else { return nil }
        return Self.startTime(of: process).map { $0 & 0xF_FFFF } == UInt64(start)
    }

    private static func bootToken() -> UInt64 {
        let bytes: [UInt8]
        do { bytes = try LocalFileSystem().readFile(at: "/proc/sys/kernel/random/boot_id", limit: 256) } catch {
            // No such file on Apple platforms: the host's name tells machines apart, and age does the rest.
            bytes = Array(ProcessInfo.processInfo.hostName.utf8)
        }
        return shortHash(bytes)
    }

    /// The 22nd field of `/proc/<pid>/stat`, in clock ticks since boot; nil if there is no such process.
    private static func startTime(of process: Int32) -> UInt64? {
        #if os(Linux)
            let bytes: [UInt8]
            do { bytes = try LocalFileSystem().readFile(at: "/proc/\(process)/stat", limit: 1 << 14) } catch {
                return nil
            }
            // The second field is the program's name in parentheses, which may hold spaces and parentheses.
            guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
            let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
            return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
        #else
            return kill(process, 0) == 0 || errno == EPERM ? 0 : nil
        #endif
    }
}

/// The first eight bytes of the SHA-256, for names only.
func shortHash(_ bytes: [UInt8]) -> UInt64 {
    var hash = cplatform_sha256()
    cplatform_sha256_init(&hash)
    cplatform_sha256_update(&hash, bytes, bytes.count)
    var digest = [UInt8](repeating: 0, count: 32)
    cplatform_sha256_final(&hash, &digest)
    return digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
}
