/// The mounts of this process, from `/proc/self/mountinfo` (`proc_pid_mountinfo(5)`).
enum MountTable {
    struct Mount: Hashable, Sendable {
        /// Where it is mounted.
        let path: String
        /// For example `fuse.rclone`.
        let type: String
        /// For example `remote:folder`.
        let source: String
        let isReadOnly: Bool
    }

    /// Mounts on one path hide each other: only the last is kept, in the place of the first. Lines that are not understood,
    /// or not UTF-8, are passed over.
    static func parse(_ bytes: [UInt8]) -> [Mount] {
        var mounts: [Mount] = []
        var places: [PathKey: Int] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let mount = mount(line) else { continue }
            if let index = places[PathKey(mount.path)] {
                mounts[index] = mount
            } else {
                places[PathKey(mount.path)] = mounts.count
                mounts.append(mount)
            }
        }
        return mounts
    }

    private static func mount(_ line: ArraySlice<UInt8>) -> Mount? {
        let fields = line.split(separator: UInt8(ascii: " "))
        // A single dash ends the optional fields.
        guard let dash = fields.firstIndex(of: [UInt8(ascii: "-")]), dash >= 6, fields.count > dash + 2,
            let path = text(fields[4]), let type = text(fields[dash + 1]), let source = text(fields[dash + 2]),
            let options = text(fields[5])
        else { return nil }
        let isReadOnly = options.split(separator: ",").contains("ro")
        return Mount(path: path, type: type, source: source, isReadOnly: isReadOnly)
    }

    /// Blanks and backslashes are written as a backslash and three octal digits.
    private static func text(_ field: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) {
                bytes.append(digits.reduce(0) { $0 &* 8 &+ ($1 - 0x30) })
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
