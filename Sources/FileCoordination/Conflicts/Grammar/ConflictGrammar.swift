/// How one service names its copies of one kind.
///
/// A pattern describes the tag, which stands at the end of the name or just before the last extension. In a pattern,
/// everything means itself but these:
///
/// | | |
/// |---|---|
/// | `<…>` | may be missing |
/// | `{YYYY-MM-DD}` | parts of a date: `YYYY`, `MM`, `DD`, `hh`, `mm`, `ss`, `fff`, with anything between them |
/// | `{mon}` | the short name of a month, in any language |
/// | `{n}`, `{n:2-99}` | a number without leading zeros, 1 to 9999 or in the range |
/// | `{who}` | a user or device: any text, with its parentheses in pairs |
/// | `{host}` `{device}` `{mail}` `{phrase}` | such a text that looks like a host name, a device, an address, three words |
/// | `{digits:4}` `{hex:4}` `{base32:7}` `{alnum:6-7}` `{upper:7}` | that many of these characters |
/// | `{hexnum:4}` `{uppernum:7}` | the same with a digit among them |
/// | `{stamp:1-10}` | digits, `-`, `:`, `_` and `.` |
struct ConflictGrammar: Sendable {
    var services: [SyncService]
    var kind: ConflictKind
    var strength: ConflictName.Strength
    var patterns: [String]
    /// Whether ASCII letters of the mark may be of either case.
    var ignoresCase = false
    /// Whether nothing need be left before the tag if an extension follows it: `.sync-conflict-….bashrc`.
    var takesDotfiles = false
    /// Whether `.tar.gz` counts as one extension too.
    var keepsLongExtensions = false
    /// Names of so many bytes may have been cut to be no longer; nil if the service does not cut.
    var cutsFrom: Int?
    /// Whether the date is universal time.
    var isUTC = false

    init(
        _ strength: ConflictName.Strength, _ services: SyncService..., kind: ConflictKind = .edit, tags: [String]
    ) {
        self.services = services
        self.kind = kind
        self.strength = strength
        patterns = tags
    }

    /// The same, differing in one thing.
    func with<Value>(_ property: WritableKeyPath<ConflictGrammar, Value>, _ value: Value) -> ConflictGrammar {
        var copy = self
        copy[keyPath: property] = value
        return copy
    }
}

extension ConflictGrammar {
    /// Every service's; of two that read a name alike the earlier one is thought likelier.
    static let all: [ConflictGrammar] = [
        syncthing, nextcloud, ownCloud, proton, dropbox, seafile, synology, oneDrive, kDrive, cozy, unison, rclone,
        gitAnnex, apps, business, pCloud, resilio, maestral, googleDrive, iCloud, mega, box, cmisSync, unknown,
    ].flatMap { $0 }
}
