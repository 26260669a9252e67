import FolderSync
import LLVSCore

/// A few devices of one store and the courier between their replicas, for tests that tell a story.
///
/// Unchecked: one test uses it, from one task.
public final class SimulatedFolderGroup: @unchecked Sendable {
    /// The devices.
    public let devices: [SimulatedFolderDevice]
    /// Carries files between the replicas; with one folder for all there is nothing to carry.
    public let courier: Courier

    /// Devices in an empty directory.
    /// - Parameter sharing: whether all work on one folder, as on a network share; else each has a replica.
    public init(
        _ count: Int, in directory: String, sharing: Bool = false, onDisk: Bool = false,
        clocksOffBy offsets: [Int64] = [],
        seed: UInt64 = 1
    ) throws {
        var devices: [SimulatedFolderDevice] = []
        for index in 0..<count {
            let replica = SimulatedFolderTree(sharing ? "\(directory)/folder" : "\(directory)/replica\(index)")
            if !sharing, let first = devices.first { try replica.make(copying: first.replica) }
            devices.append(
                try SimulatedFolderDevice(
                    "device \(index)", replica: replica.path, storePath: onDisk ? "\(directory)/store\(index)" : nil,
                    creating: index == 0, clockOffBy: index < offsets.count ? offsets[index] : 0,
                    seed: seed + UInt64(index)))
        }
        self.devices = devices
        courier = Courier(replicas: sharing ? [devices[0].replica] : devices.map(\.replica))
    }

    /// Runs `body` with devices in a directory that is removed afterwards.
    public static func with<Result>(
        _ count: Int, sharing: Bool = false, onDisk: Bool = false, clocksOffBy offsets: [Int64] = [], seed: UInt64 = 1,
        _ body: (SimulatedFolderGroup) async throws -> Result
    ) async throws -> Result {
        try await SimulatedFolderTree.withDirectory { directory in
            try await body(
                SimulatedFolderGroup(
                    count, in: directory, sharing: sharing, onDisk: onDisk, clocksOffBy: offsets,
                    seed: seed))
        }
    }

    /// Everything is delivered and everybody syncs, until nobody has anything to do.
    public func settle() async throws {
        try courier.heal()
        for _ in 0..<3 {
            for device in devices {
                try await device.pass()
                try courier.syncAll()
            }
        }
    }

    /// What is broken of what is always promised once everything was delivered; empty: nothing.
    public func brokenPromises() throws -> [String] {
        var broken: [String] = []
        let first = devices[0]
        let promised = devices.flatMap(\.acknowledged)
        for device in devices {
            for id in promised where try device.store.state(of: id) != .firm {
                broken.append("\(device.name) lacks \(id)")
            }
            if try device.store.heads().map(\.id) != first.store.heads().map(\.id) {
                broken.append("\(device.name) has other heads")
            }
            if try device.current() != first.current() { broken.append("\(device.name) has another current version") }
            if try !device.showsSameValues(as: first) { broken.append("\(device.name) has other values") }
            broken += try device.store.verify()
            let folder = try FolderVerification(of: device.replica.path)
            broken += (folder.problems + folder.waiting).map { "\(device.name): \($0.file) \($0.reason)" }
        }
        return broken
    }
}
