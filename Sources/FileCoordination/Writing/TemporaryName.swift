import CPlatform
import Foundation
import Synchronization

/// The name of a file that this package is still writing.
///
/// `~syncthing~fc-<boot>-<pid>-<start>-<random>.tmp`: Syncthing skips the prefix; Dropbox, Nextcloud, OneDrive, Seafile and
/// MEGA skip `~….tmp`. All parts are lower-case hexadecimal, so that the length is bounded whatever the target is called.
/// Boot, process and start of the process say whether the writer can still be alive.
struct TemporaryName: Hashable, Sendable {
    var writer: WriterIdentity
    var random: UInt64

    static let prefix = "~syncthing~fc-"
    static let suffix = ".tmp"

    /// A new one of this process.
    static func fresh() -> TemporaryName {
        TemporaryName(writer: .current, random: nextNumber())
    }

    /// The path of a new one of this process in the folder, put together at once: every write makes one.
    static func freshPath(in folder: String) -> String {
        let needsSlash = folder.utf8.last != UInt8(ascii: "/")
        var number = nextNumber()
        let digits = max(1, (67 - number.leadingZeroBitCount) / 4)
        let count = folder.utf8.count + (needsSlash ? 1 : 0) + ownStart.utf8.count + digits + suffix.utf8.count
        return String(unsafeUninitializedCapacity: count) { buffer in
            var rest = UnsafeMutableBufferPointer(rebasing: buffer[...])
            rest.take(folder)
            if needsSlash { rest.take("/") }
            rest.take(ownStart)
            for index in (0..<digits).reversed() {
                let digit = UInt8(truncatingIfNeeded: number & 15)
                rest[index] = digit < 10 ? 48 + digit : 87 + digit
                number >>= 4
            }
            rest = UnsafeMutableBufferPointer(rebasing: rest[digits...])
            rest.take(suffix)
            return count
        }
    }

    private static let ownStart = String(TemporaryName(writer: .current, random: 0).name.dropLast(1 + suffix.count))

    /// Counted from a random start: unlike within the process, and unlike those of a process with the same number in
    /// another container. `O_EXCL` does the rest.
    private static func nextNumber() -> UInt64 {
        lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    }

    var name: String {
        let parts = [
            String(writer.boot, radix: 16), String(writer.process, radix: 16), String(writer.start, radix: 16),
            String(random, radix: 16),
        ]
        return Self.prefix + parts.joined(separator: "-") + Self.suffix
    }
}

extension TemporaryName {
    /// Nil for every name that is not exactly one of ours.
    init?(_ name: String) {
        guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix), name.utf8.count < 100 else { return nil }
        let parts = name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)
            .split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, let boot = UInt32(parts[0], radix: 16), let process = Int32(parts[1], radix: 16),
            let start = UInt64(parts[2], radix: 16), let random = UInt64(parts[3], radix: 16)
        else { return nil }
        self.init(writer: WriterIdentity(boot: boot, process: process, start: start), random: random)
        // Other spellings of the same numbers ("+1", "0A") are not ours.
        guard self.name == name else { return nil }
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Writes the text at the start and moves on behind it.
    fileprivate mutating func take(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            _ = update(fromContentsOf: bytes)
            self = UnsafeMutableBufferPointer(rebasing: self[bytes.count...])
        }
    }
}

private let lastNumber = Atomic<UInt64>(.random(in: 0 ... .max))

/// Which run of which process on which boot of which machine wrote something.
struct WriterIdentity: Hashable, Sendable {
    var boot: UInt32
    var process: Int32
    var start: UInt64

    static let current = WriterIdentity(
        boot: bootToken(), process: ProcessInfo.processInfo.processIdentifier,
        start: startTime(of: ProcessInfo.processInfo.processIdentifier) ?? 0)

    /// Nil if that cannot be known: another machine, or another boot of this one.
    var isAlive: Bool? {
        guard boot == Self.current.boot else { return nil }
        return Self.startTime(of: process) == start
    }

    private static func bootToken() -> UInt32 {
        let bytes: [UInt8]
        do { bytes = try LocalFileSystem().readFile(at: "/proc/sys/kernel/random/boot_id", limit: 256) } catch {
            // No such file on Apple platforms: the host's name tells machines apart, and age does the rest.
            bytes = Array(ProcessInfo.processInfo.hostName.utf8)
        }
        return UInt32(truncatingIfNeeded: shortHash(bytes))
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
