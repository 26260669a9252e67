/// One figure beside its floor, both of the same run.
struct Measurement {
    let name: String
    let ours: Duration
    let floor: Duration
    let count: Int

    /// Runs both in turn and keeps the median of each: the machine's speed drifts.
    static func median(
        _ name: String, count: Int, rounds: Int = 5, ours: (Int) throws -> Void, floor: (Int) throws -> Void
    ) throws -> Measurement {
        var own: [Duration] = []
        var bare: [Duration] = []
        let clock = ContinuousClock()
        for round in 0..<rounds {
            own.append(try clock.measure { try ours(round) })
            bare.append(try clock.measure { try floor(round) })
        }
        return Measurement(
            name: name, ours: own.sorted()[rounds / 2], floor: bare.sorted()[rounds / 2], count: count)
    }

    var line: String {
        let ratio = ours / floor
        return
            "\(name.padded(to: 44)) \(Self.each(ours, count).padded(to: 14)) \(Self.each(floor, count).padded(to: 14)) "
            + "\((ratio * 100).rounded() / 100)"
    }

    private static func each(_ duration: Duration, _ count: Int) -> String {
        let microseconds = (duration / .microseconds(1)) / Double(count)
        return "\((microseconds * 10).rounded() / 10) µs"
    }
}

extension String {
    func padded(to width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }
}
