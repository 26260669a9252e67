/// How a ``DirectoryWatcher`` watches.
public struct WatchOptions: Sendable {
    /// How long a change waits for the next one of the same path.
    public var timing = ChangeTiming()
    /// How often the whole tree is listed even if nothing seems to happen: what the kernel does not tell of (writes through
    /// a memory map, other machines' writes on a network mount) is seen then.
    public var rescanInterval: Duration = .seconds(300)
    /// How often folders that the kernel does not watch are listed, and the root is looked for.
    public var pollInterval: Duration = .seconds(5)
    /// How many events wait for a slow consumer before they collapse into folders to be read again.
    public var backlogLimit = 16_384
    /// Whether the kernel is not asked at all: for file systems that do not tell it of changes.
    public var pollsOnly = false
    /// Names that are not told of and not descended into.
    public var ignores: @Sendable (String) -> Bool = TemporaryNames.isTemporary

    /// The defaults.
    public init() {}
}

/// How long changes of one path are gathered; the defaults are measured on what editors and sync services do.
public struct ChangeTiming: Hashable, Sendable {
    /// After a rename into place or a change of attributes.
    public var settle: Duration = .milliseconds(10)
    /// After a disappearance, because many programs delete before they rename.
    public var gone: Duration = .milliseconds(20)
    /// After the creation of a file that may still be written to.
    public var created: Duration = .milliseconds(20)
    /// After a write to a file that stays open.
    public var modified: Duration = .milliseconds(100)
    /// The shortest time between two deliveries of one path.
    public var quiet: Duration = .milliseconds(50)
    /// The longest time that a change waits, however many follow.
    public var maximum: Duration = .milliseconds(500)

    /// The defaults.
    public init() {}
}
