/// What happens to the bytes of a file.
public enum SimulationHarm: Hashable, Sendable, CustomDebugStringConvertible {
    /// Nothing.
    case none
    /// They are gone.
    case empty
    /// So many thousandths of them are left.
    case cut(Int)
    /// All are zero, as after a power cut.
    case zeroed
    /// One bit is turned, counted around.
    case flipped(Int)
    /// More follow.
    case longer

    func applied(to bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .none: return bytes
        case .empty: return []
        case .cut(let thousandths): return Array(bytes.prefix(bytes.count * min(thousandths, 999) / 1_000))
        case .zeroed: return [UInt8](repeating: 0, count: bytes.count)
        case .flipped(let bit):
            guard !bytes.isEmpty else { return bytes }
            var flipped = bytes
            flipped[bit / 8 % bytes.count] ^= 1 << (bit % 8)
            return flipped
        case .longer: return bytes + [UInt8](repeating: 0, count: 100)
        }
    }

    /// As in Swift.
    public var debugDescription: String {
        switch self {
        case .none: ".none"
        case .empty: ".empty"
        case .cut(let thousandths): ".cut(\(thousandths))"
        case .zeroed: ".zeroed"
        case .flipped(let bit): ".flipped(\(bit))"
        case .longer: ".longer"
        }
    }
}

/// What becomes of a file of which a service makes a conflict copy.
public enum SimulationOriginal: Int, Hashable, Sendable, CaseIterable, CustomDebugStringConvertible {
    /// It stays.
    case stays
    /// It is cut to half.
    case cut
    /// It goes.
    case gone

    /// As in Swift.
    public var debugDescription: String {
        switch self {
        case .stays: ".stays"
        case .cut: ".cut"
        case .gone: ".gone"
        }
    }
}

/// A change in an edit.
public enum SimulationChange: Hashable, Sendable, CustomDebugStringConvertible {
    /// The value gets a text that has this number.
    case set(String, Int)
    /// The value gets this many bytes of noise.
    case fill(String, Int)
    /// The value goes, if it is there.
    case remove(String)

    /// As in Swift.
    public var debugDescription: String {
        switch self {
        case .set(let key, let number): ".set(\"\(key)\", \(number))"
        case .fill(let key, let size): ".fill(\"\(key)\", \(size))"
        case .remove(let key): ".remove(\"\(key)\")"
        }
    }
}
