/// What a ``DirectoryWatcher`` watches, and how.
public struct WatchOptions: Sendable {
    /// The extensions of the files that are told of, without regard to case, with or without their dot; nil means all files.
    ///
    /// An extension may have several parts (`tar.gz`). Folders are always told of and walked, and a placeholder counts by its
    /// original (`.Report.pdf.icloud` as a PDF).
    public var extensions: Set<String>?

    /// Names and patterns of what is left out: not told of, and not descended into, so that it costs no watch.
    ///
    /// | pattern | leaves out |
    /// |---|---|
    /// | `node_modules`, `*.log` | every entry of that name, at any depth |
    /// | `build/` | folders of that name, at any depth, not files |
    /// | `/build`, `docs/*.pdf` | with a slash at the start or between: the path below the watched folder |
    /// | `**/cache/x`, `a/**/b`, `a/**` | `**` as a part of a path stands for any number of folders |
    ///
    /// `*`, `?`, `[a-z]` and `[!a-z]` are as in `fnmatch(3)`, within one name and without regard to the locale; `\` quotes. Case
    /// counts, a leading dot is nothing special, and later patterns do not take earlier ones back.
    public var ignoring: [String] = []

    /// Whether temporary files and control files of editors and services are left out; see ``TemporaryNames``. Placeholders
    /// are told of, because they stand for real files; folders with the name of a temporary file are walked.
    public var filtersTemporaryNames = true

    /// What else is left out, by the path below the watched folder (`a/b.txt`). Called on the watcher's thread for every entry
    /// that is looked at, so it should be quick; it must always say the same of a path.
    public var ignores: (@Sendable (String) -> Bool)?

    /// Whether what is in folders below the watched one is watched too. If not, those are told of as entries only.
    public var recursive = true

    /// How long a path that was told of and goes on changing must be quiet to be told of again.
    ///
    /// The first change is the leading edge: a file that is closed after writing is told of at once if its path was quiet
    /// before. What follows within this time is a burst, gathered until the path is quiet for as long.
    public var settle: Duration {
        get { timing.settle }
        set { timing.settle = newValue }
    }

    /// The longest time that a change waits, however many follow it.
    public var maximumDelay: Duration {
        get { timing.maximum }
        set { timing.maximum = newValue }
    }

    /// The delays one by one, for those who need other than ``settle`` and ``maximumDelay``.
    public var timing = ChangeTiming()

    /// How often the whole tree is listed even if nothing seems to happen, or nil for never: what the kernel does not tell of,
    /// like writes through a memory map, is seen then.
    public var periodicRescan: Duration? = .seconds(300)

    /// How often folders that the kernel does not tell everything of are listed, and the root is looked for. Longer if a look
    /// takes more than a tenth of it, so that polling never keeps a processor busy.
    public var pollInterval: Duration = .seconds(5)

    /// Whether the kernel is not asked at all.
    public var pollsOnly = false

    /// How many events wait for a slow subscriber before they collapse into folders to be read again.
    public var backlogLimit = 16_384

    /// Where all times are taken from. Another clock than the system's is asked every few milliseconds, because nobody says
    /// when it is moved.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The defaults.
    public init() {}
}

/// How long changes of one path are gathered; the defaults are measured on what editors and sync services do.
public struct ChangeTiming: Hashable, Sendable {
    /// After a rename into place or a change of attributes.
    public var renamed: Duration = .milliseconds(10)
    /// After a disappearance, because many programs delete before they rename.
    public var gone: Duration = .milliseconds(20)
    /// After the creation of a file that may still be written to.
    public var created: Duration = .milliseconds(20)
    /// After a write to a file that stays open.
    public var modified: Duration = .milliseconds(100)
    /// After a delivery, for as long as the path goes on changing.
    public var settle: Duration = .milliseconds(50)
    /// The longest time that a change waits, however many follow.
    public var maximum: Duration = .milliseconds(500)

    /// The defaults.
    public init() {}
}
