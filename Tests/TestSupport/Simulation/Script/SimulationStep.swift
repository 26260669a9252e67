/// One thing that happens in a simulation.
///
/// Everything in it is a plain number: devices, replicas, files and versions are counted around those that are there, so that
/// any step means something after any others, and a script still runs when some of its steps are left out.
///
/// To add one: its case, what it does in `SimulatedFolder.perform`, and how often it comes up in `SimulationMix`.
public enum SimulationStep: Hashable, Sendable {
    // MARK: What a device does

    /// A person edits on what the device shows.
    case edit(Int, [SimulationChange])
    /// A person saves an edit that is based on an older version the device showed.
    case editOld(Int, [SimulationChange], seen: Int)
    /// One whole pass over its folders.
    case pass(Int)
    /// One whole pass of another process on the same store.
    case passOfSecondProcess(Int)
    /// The first half of a pass.
    case retrieve(Int)
    /// The last part of a pass.
    case send(Int)
    /// The process dies in a pass before this deed, and starts again.
    case die(Int, deed: Int)
    /// The process starts again.
    case reopen(Int)
    /// The machine is copied, disk and all.
    case clone(Int)
    /// A backup of the store is made.
    case backUpStore(Int)
    /// The store is restored from its backup.
    case restoreStore(Int)
    /// A snapshot of the store is published.
    case snapshot(Int)
    /// The device leaves its first folder, and comes back in another lane.
    case leave(Int)
    /// A new device joins the first folder with an empty store; its replica has what the first one has.
    case join

    // MARK: Time

    /// Time goes by everywhere.
    case wait(milliseconds: Int64)
    /// A device's clock jumps.
    case jump(Int, years: Int64)

    // MARK: What carriers do to a replica

    /// Some files go from one replica to another, the first of them harmed.
    case deliver(from: Int, to: Int, count: Int, order: UInt64, SimulationHarm)
    /// A file is spoiled in place.
    case spoil(Int, file: Int, SimulationHarm)
    /// A service makes a conflict copy.
    case conflict(Int, file: Int, service: Int, SimulationOriginal)
    /// A file is deleted.
    case delete(Int, file: Int)
    /// A file's bytes leave the disk, and a stub takes their place.
    case stub(Int, file: Int)
    /// All stubs become files again.
    case unstub(Int)
    /// Something that is none of ours appears.
    case junk(Int, kind: Int)
    /// A copy of the folder is kept.
    case backUp(Int)
    /// The folder goes back to the copy.
    case rollBack(Int)
    /// The folder is not mounted any more, and an empty directory or nothing is in its place.
    case unmount(Int, leavingDirectory: Bool)
    /// It is mounted again.
    case mount(Int)
    /// The dates of all files move, as at a change to summer time.
    case shiftTimes(Int, hours: Int64)
    /// The files get other inode numbers.
    case renumber(Int)
}
