/// A simulation as data: the same script does the same, whatever made it.
public struct SimulationScript: Hashable, Sendable, CustomStringConvertible {
    /// Who takes part.
    public var setup: SimulationSetup
    /// What happens until the faults stop.
    public var steps: [SimulationStep]

    /// A script.
    public init(_ setup: SimulationSetup, _ steps: [SimulationStep]) {
        self.setup = setup
        self.steps = steps
    }

    /// As in Swift, to be pasted into a test.
    public var description: String {
        let lines = steps.map { "    .\($0)," }
        return (["SimulationScript(", "  \(setup),", "  ["] + lines + ["  ])"]).joined(separator: "\n")
    }
}

/// Who takes part in a simulation.
public struct SimulationSetup: Hashable, Sendable, CustomStringConvertible {
    /// How many devices there are at first.
    public var devices = 3
    /// Which rule for conflicts each device has, by number in `SimulatedFolder.arbiters`; those after the last have the first.
    public var arbiters: [Int] = []
    /// How many years each device's clock is off.
    public var yearsOff: [Int] = []
    /// The device whose edits are on a branch.
    public var drafter: Int?
    /// The device that follows that branch besides.
    public var follower: Int?
    /// The device that may not write in the folder.
    public var reader: Int?
    /// Whether the first two devices work on one folder, as on a network share; else each has its replica.
    public var isShared = false
    /// Whether the first device is a member of a second folder, in which the last device is.
    public var isBridged = false
    /// Whether each device's round of syncing ends before anything is carried; else after each device.
    public var settlesTogether = false
    /// What the disk of a replica does otherwise, by the replica's number.
    public var disks: [Int] = []
    /// What names of lanes follow from.
    public var names: UInt64 = 1
    /// Whether stores are SQLite's; then devices are neither cloned nor restored.
    public var isOnDisk = false

    /// Three devices with a replica each.
    public init(devices: Int = 3) { self.devices = devices }

    /// As in Swift, what is not usual.
    public var description: String {
        var text = "SimulationSetup(devices: \(devices))"
        let usual = SimulationSetup()
        func say(_ name: String, _ value: String, _ isUsual: Bool) {
            if !isUsual { text += ".with(\\.\(name), \(value))" }
        }
        func say(_ name: String, _ value: Int?) { say(name, value.map { "\($0)" } ?? "nil", value == nil) }
        say("arbiters", "\(arbiters)", arbiters.allSatisfy { $0 == 0 })
        say("yearsOff", "\(yearsOff)", yearsOff.allSatisfy { $0 == 0 })
        say("drafter", drafter)
        say("follower", follower)
        say("reader", reader)
        say("isShared", "\(isShared)", !isShared)
        say("isBridged", "\(isBridged)", !isBridged)
        say("settlesTogether", "\(settlesTogether)", !settlesTogether)
        say("disks", "\(disks)", disks.allSatisfy { $0 == 0 })
        say("names", "\(names)", names == usual.names)
        say("isOnDisk", "\(isOnDisk)", !isOnDisk)
        return text
    }

    /// The same with one thing otherwise.
    public func with<Value>(_ path: WritableKeyPath<SimulationSetup, Value>, _ value: Value) -> SimulationSetup {
        var other = self
        other[keyPath: path] = value
        return other
    }
}
