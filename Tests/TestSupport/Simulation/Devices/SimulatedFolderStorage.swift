public import LLVSCore

/// A storage that dies with its device. A commit happens wholly or not at all; the death is before or after it.
public struct SimulatedFolderStorage: Storage {
    let base: any Storage
    let mortality: SimulatedFolderMortality

    /// A storage with that fate.
    public init(_ base: any Storage, _ mortality: SimulatedFolderMortality) {
        self.base = base
        self.mortality = mortality
    }

    /// Reads, if alive.
    public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        try base.read(body)
    }

    /// Writes, if alive.
    public func write<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result {
        try mortality.checkStorage("write")
        let result = try base.write(body)
        try mortality.checkStorage("go on after writing")
        return result
    }

    /// Syncs, if alive.
    public func sync() throws { try base.sync() }
    /// Asks the storage.
    public func checkIntegrity() throws -> [String] { try base.checkIntegrity() }
    /// Closes it.
    public func close() throws { try base.close() }
}
